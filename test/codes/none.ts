import { styled, type Samples } from "./sample.ts";

const backup = "4829-1305 7302-4471 9204-1188 6038-2174 5017-7390 8294-0613 3815-9226 2048-1793".split(" ");

export const none: Samples = {
  english: [
    {
      name: "a list of backup codes has no single code",
      from: "Vaultline <security@vaultline.test>",
      subject: "Your backup codes",
      text: `Keep these backup codes somewhere safe. Each code can be used once.\n\n${backup.join("\n")}\n\nGenerated on March 14, 2025`,
    },
    {
      name: "someone signed in",
      from: "Talkie <security@talkie.test>",
      subject: "New sign-in to your account",
      html: styled(
        `<p>Your account ann4821 was just signed in to from a new device.</p><table><tr><td>When</td><td>March 14, 2025 2:30 PM</td></tr><tr><td>Where</td><td>Leeds, IP 198.51.100.23</td></tr><tr><td>Event</td><td>884213</td></tr></table><p>If this wasn't you, <a href="https://talkie.test/security/lock?u=48213">lock your account</a>. We never ask for your code or PIN.</p>`,
      ),
    },
    {
      name: "the password was changed",
      from: "Buildbox <accounts@buildbox.test>",
      subject: "Your Buildbox password has been changed",
      text: "Hi ann,\n\nYour password was changed on 2025-03-14 14:30 UTC. A verification code was used. Request 20931187.\n\nDidn't do this? Contact support: https://buildbox.test/support?case=20931187",
    },
    {
      name: "a developer newsletter that speaks about code",
      from: "The Stack Letter <news@stackletter.test>",
      subject: "Issue 1204: reading other people's code",
      html: styled(
        `<h1>Code review in 2025</h1><p>Our study of 48213 pull requests found that code with fewer than 4000 lines is read twice as fast. The source code is at <a href="https://stackletter.test/issues/1204">issue 1204</a>.</p><p>Error 50300 explained &middot; RFC 9110 in 10 minutes &middot; HTTP 2048</p>`,
      ),
    },
    {
      name: "a tracked parcel",
      from: "Swift Parcel <track@swiftparcel.test>",
      subject: "Parcel 7H4829Z out for delivery",
      text: "Parcel 7H4829Z\nRoute 2048, stop 17\nBar code label: 940010002\nPIN not required.\nDriver: +44 20 7946 0148",
    },
  ],
  russian: [
    {
      name: "список резервных кодов",
      from: "Замок <security@zamok.test>",
      subject: "Резервные коды",
      html: styled(
        `<p>Сохраните резервные коды. Каждый код действует один раз.</p><ol>${backup.map((code) => `<li>${code}</li>`).join("")}</ol>`,
      ),
    },
    {
      name: "пароль изменён",
      from: "Единый вход <id@edvhod.test>",
      subject: "Пароль изменён",
      text: "Пароль от учётной записи изменён 14.03.2025 в 14:30.\nЕсли это сделали не вы, позвоните: 8 800 555-01-48.\nКод региона 54, договор 48201933.",
    },
    {
      name: "чек магазина",
      from: "Касса <check@kassa-check.test>",
      subject: "Кассовый чек № 2048",
      html: styled(
        `<table><tr><td>Товар</td><td>Код товара 482913</td></tr><tr><td>Итого</td><td>1 250,00</td></tr><tr><td>ФН</td><td>92018447</td></tr><tr><td>ИНН</td><td>5401204817</td></tr></table><p>Спасибо за покупку!</p>`,
      ),
    },
  ],
  spanish: [
    {
      name: "lista de códigos de respaldo",
      from: "Cofre <seguridad@cofre.test>",
      subject: "Tus códigos de respaldo",
      html: styled(
        `<p>Guarda estos códigos de respaldo. Cada código sirve una vez.</p><table>${[0, 2, 4, 6].map((row) => `<tr><td>${backup[row]}</td><td>${backup[row + 1]}</td></tr>`).join("")}</table>`,
      ),
    },
    {
      name: "aviso de envío",
      from: "Paquetería Rayo <envios@rayo.test>",
      subject: "Tu envío 48201933 está en camino",
      text: "Número de seguimiento: 48201933\nCódigo postal: 28013\nPeso 2048 g\nEntrega: 14/03/2025 entre las 10:00 y las 14:00\nTeléfono 912 345 678",
    },
    {
      name: "inicio de sesión nuevo",
      from: "Plaza <seguridad@plaza.test>",
      subject: "Nuevo inicio de sesión",
      html: styled(
        `<p>Se inició sesión el 14 de marzo de 2025 a las 14:30 desde Valencia (IP 203.0.113.77).</p><p>¿No fuiste tú? <a href="https://plaza.test/seguridad?caso=20931187">Protege tu cuenta</a>.</p><p>Nunca compartas tus códigos.</p>`,
      ),
    },
  ],
  chinese: [
    {
      name: "备用验证码列表",
      from: "密匣 <security@mixia.test>",
      subject: "您的备用验证码",
      text: `请妥善保存以下备用验证码，每个只能使用一次：\n\n${backup.join("\n")}`,
    },
    {
      name: "登录提醒没有验证码",
      from: "星图云 <no-reply@xingtu.test>",
      subject: "异地登录提醒",
      text: "您的账号于2025年3月14日14:30在杭州登录，IP 203.0.113.77。如非本人操作，请立即修改密码。切勿向任何人透露验证码。工单 20931187。",
    },
    {
      name: "电子发票",
      from: "开票 <fapiao@kaipiao.test>",
      subject: "您的电子发票 48201933",
      html: styled(
        `<table><tr><td>发票代码</td><td>0110022</td></tr><tr><td>发票号码</td><td>48201933</td></tr><tr><td>金额</td><td>1250.00元</td></tr><tr><td>校验码后六位</td><td>见附件</td></tr></table>`,
      ),
    },
  ],
  arabic: [
    {
      name: "قائمة رموز احتياطية",
      from: "خزنة <security@khazna.test>",
      subject: "الرموز الاحتياطية",
      html: styled(
        `<p>احتفظ برموزك الاحتياطية. كل رمز يستخدم مرة واحدة.</p>${backup.map((code) => `<p dir="ltr">${code}</p>`).join("")}`,
        "rtl",
      ),
    },
    {
      name: "تم تغيير كلمة المرور",
      from: "ساحة <security@saha.test>",
      subject: "تم تغيير كلمة المرور",
      text: "تم تغيير كلمة مرور حسابك في ١٤ مارس ٢٠٢٥ الساعة ١٤:٣٠.\nلا تشارك رموز التحقق مع أحد. رقم البلاغ 20931187.",
    },
    {
      name: "نشرة أخبار",
      from: "مجلة الأفق <news@ofoq.test>",
      subject: "العدد 1204",
      html: styled(
        `<h1>أخبار 2025</h1><p>اقرأ أكثر من 15000 مقال. كود الخصم للمشتركين OFOQ20. السعر 1999 درهم.</p><p><a href="https://ofoq.test/1204">اقرأ المزيد</a></p>`,
        "rtl",
      ),
    },
  ],
  hindi: [
    {
      name: "बैकअप कोड की सूची",
      from: "तिजोरी <security@tijori.test>",
      subject: "आपके बैकअप कोड",
      text: `ये बैकअप कोड सुरक्षित रखें। हर कोड एक बार चलेगा।\n\n${backup.join("\n")}`,
    },
    {
      name: "नया लॉगिन",
      from: "संदेश <security@sandesh.test>",
      subject: "आपके खाते में नया लॉगिन",
      text: "14 मार्च 2025 को 14:30 बजे नए डिवाइस से लॉगिन हुआ (IP 203.0.113.77)।\nअगर यह आप नहीं थे तो पासवर्ड बदलें। टिकट 20931187। ओटीपी किसी को न बताएं।",
    },
    {
      name: "रसीद",
      from: "झटपट <bills@jhatpat.test>",
      subject: "रसीद 84029133",
      html: styled(
        `<table><tr><td>ऑर्डर</td><td>84029133</td></tr><tr><td>कुल</td><td>₹1,299</td></tr><tr><td>पिन कोड</td><td>201301</td></tr></table><p>धन्यवाद! 2025 में फिर मिलेंगे।</p>`,
      ),
    },
  ],
};
