import { styled, type Sample, type Samples } from "./sample.ts";

const boxes = (signs: string, gap = "") =>
  Array.from(signs, (sign) => `<td width="40" style="border:1px solid #d0d7de">${sign}</td>`).join(gap);

const arabic: Sample[] = [
  {
    name: "خانات منفصلة من اليمين إلى اليسار",
    from: "رسائل <no-reply@rasael.test>",
    subject: "تأكيد رقمك",
    html: styled(
      `<p>أهلًا بك في رسائل! أدخل رمز التأكيد:</p><table dir="ltr"><tr>${boxes("٧٣٩٢٠٤")}</tr></table><p>ينتهي خلال ١٠ دقائق.</p>`,
      "rtl",
    ),
    code: "739204",
  },
  {
    name: "الرمز في زر",
    from: "مكتبة الوراق <login@warraq.test>",
    subject: "تسجيل الدخول إلى مكتبة الوراق",
    html: styled(
      `<p>انسخ رمز الدخول:</p><a href="https://warraq.test/login" style="background:#0a7;padding:12px"><b>G7K2M4</b></a><p>© 2019-2025 مكتبة الوراق</p>`,
      "rtl",
    ),
    code: "G7K2M4",
  },
  {
    name: "أرقام فارسية",
    from: "بازار <noreply@bazar.test>",
    subject: "بازار: رمز الدخول",
    text: "\u200fرمز الدخول الخاص بك هو \u202a۴۸۲۹\u202c وهو صالح لمدة ۵ دقائق.",
    code: "4829",
  },
];

const hindi: Sample[] = [
  {
    name: "शून्य-चौड़ाई वाले चिह्न",
    from: "संदेश <no-reply@sandesh.test>",
    subject: "संदेश में लॉगिन",
    html: styled(
      `<p>आपका लॉगिन कोड:</p><p style="font-size:30px">4&#8203;8&#8203;2&#8204;9&#8204;1&#8203;3</p><p>इसे किसी के साथ साझा न करें।</p>`,
    ),
    code: "482913",
  },
  {
    name: "कोड केवल विषय में",
    from: "सवारी <otp@sawari.test>",
    subject: "5017 आपका सवारी सत्यापन कोड है",
    html: styled(`<p>सवारी में आपका स्वागत है! सत्यापन संख्या इस ईमेल के विषय में है।</p><p>मुंबई 400001</p>`),
    code: "5017",
  },
  {
    name: "बटन में कोड",
    from: "पत्रिका <swagat@patrika.test>",
    subject: "सदस्य बनें",
    html: styled(
      `<p>पंजीकरण पूरा करने के लिए यह पिन डालें</p><table><tr><td bgcolor="#0b57d0"><a href="https://patrika.test/join" style="color:#ffffff">83 92 01</a></td></tr></table><p>यह 2 घंटे तक चलेगा।</p>`,
    ),
    code: "839201",
  },
];

export const shapes: Samples = {
  english: [
    {
      name: "each sign in a cell of its own, with letters",
      from: "Northwind Cloud <identity@northwind.test>",
      subject: "Verify your identity",
      html: styled(
        `<p>Enter this code to continue:</p><table><tr>${boxes("K7M2", " ")}<td>-</td>${boxes("9XQ4", " ")}</tr></table><p>The code is valid for 10 minutes.</p>`,
      ),
      code: "K7M2-9XQ4",
    },
    {
      name: "a code that only the line shown beside the subject tells",
      from: "Lumen <hello@lumen.test>",
      subject: "Sign in to Lumen",
      html: `<html><body><span style="display:none!important;font-size:1px;color:#fff">Your Lumen sign-in code is 501773 &#847;&zwnj;&nbsp;&#847;&zwnj;</span><table><tr><td><img src="https://lumen.test/head.png" alt="Lumen"></td></tr><tr><td><img src="https://lumen.test/otp/c81.png" alt=""></td></tr><tr><td>Lumen Labs Ltd., 20 Kiln Street, Leeds LS1 4AP</td></tr></table></body></html>`,
      code: "501773",
    },
    {
      name: "a code in a picture, told by the words in its place",
      from: "Papaya <accounts@papaya.test>",
      subject: "Welcome to Papaya",
      html: styled(
        `<img src="https://papaya.test/i/logo.png" alt="Papaya"><p>Good to have you here.</p><img src="https://papaya.test/i/9c2.png" width="300" alt="Your verification code: 920184">`,
      ),
      code: "920184",
    },
    {
      name: "a code that only the plain part has",
      from: "Trailhead Outfitters <web@trailhead.test>",
      subject: "Your access code",
      text: "Your access code: 7391-4402\n\nEnter it at trailhead.test/enter",
      html: `<html><body><img src="https://trailhead.test/mail/841.jpg"><p>Can't see the picture? Use the text version.</p></body></html>`,
      code: "73914402",
    },
    {
      name: "a prefix before the digits is printed beside the field and not typed",
      from: "Sundial <noreply@sundial.test>",
      subject: "SD-603821 is your Sundial verification code",
      text: "SD-603821 is your Sundial verification code. Don't share it.",
      code: "603821",
    },
    {
      name: "three groups of letters and digits",
      from: "Forgeworks <no-reply@forgeworks.test>",
      subject: "Authorize new device",
      text: "A new device wants to use your account.\n\nAuthorization code\n\nB4K-7TX-29M\n\nIf it wasn't you, ignore this letter. Ticket 884213.",
      code: "B4K-7TX-29M",
    },
    {
      name: "a code right behind a sign of a picture",
      from: "Chirp <info@chirp.test>",
      subject: "Chirp: confirm your e-mail",
      html: styled(
        `<p>You're almost there 🎉</p><p>Please enter this confirmation code on Chirp when prompted:</p><p>➡️ <b>92018447</b></p><p>Codes expire after two hours.</p>`,
      ),
      code: "92018447",
    },
  ],
  russian: [
    {
      name: "код по одной цифре в строке",
      from: "Позывной <noreply@pozyvnoy.test>",
      subject: "Код для входа",
      html: styled(
        `<p>Введите код на новом устройстве:</p>${Array.from("60382", (digit) => `<div style="float:left;width:32px">${digit}</div>`).join("")}<p>Если вы не входили, смените пароль.</p>`,
      ),
      code: "60382",
    },
    {
      name: "код из букв и цифр через дефис в теме",
      from: "Кузница игр <support@kuznica.test>",
      subject: "Код доступа 7KX-2M9 для входа в Кузницу",
      html: styled(`<p>Код указан в теме письма и действует 30 минут.</p><p>Обращение 4820193</p>`),
      code: "7KX-2M9",
    },
    {
      name: "код в атрибуте картинки",
      from: "Лента фото <hello@lenta-foto.test>",
      subject: "Подтвердите почту",
      html: `<html><body><img src="https://lenta-foto.test/h.png" alt="Лента фото"><br><img src="https://lenta-foto.test/k/77.png" alt="Ваш код: 8294"></body></html>`,
      code: "8294",
    },
    {
      name: "код в предзаголовке",
      from: "Квартал <bot@kvartal.test>",
      subject: "Вход в Квартал",
      html: `<html><body><div style="display:none;max-height:0;overflow:hidden">Код подтверждения 204817. Никому его не говорите.</div><div><img src="https://kvartal.test/kod.gif" alt=""></div><p>ООО «Квартал», 125009, Москва, 2018—2025</p></body></html>`,
      code: "204817",
    },
  ],
  spanish: [
    {
      name: "cifras en celdas con guion",
      from: "Correo del Sur <acceso@correosur.test>",
      subject: "Confirma que eres tú",
      html: styled(
        `<p>Escribe el código de confirmación:</p><table><tr>${boxes("738")}<td>–</td>${boxes("204")}</tr></table><p>Válido durante 15 minutos.</p>`,
      ),
      code: "738204",
    },
    {
      name: "el código solo está en el asunto",
      from: "Taxi Ya <codigos@taxiya.test>",
      subject: "Taxi Ya: 6038 es tu código",
      html: styled(
        `<p>Encontrarás tu código en el asunto de este mensaje.</p><p>Calle Mayor 1204, 28013 Madrid</p>`,
      ),
      code: "6038",
    },
    {
      name: "clave de letras y números",
      from: "Nube Azul <no-responder@nubeazul.test>",
      subject: "Acceso desde un dispositivo nuevo",
      text: "Hola, Ana:\n\nIntroduce esta clave en tu dispositivo:\n\n  M4T9-X2QP\n\nIP 203.0.113.77 · 14/03/2025 · 14:30",
      code: "M4T9-X2QP",
    },
  ],
  chinese: [
    {
      name: "验证码在按钮里",
      from: "星图云 <no-reply@xingtu.test>",
      subject: "星图云登录",
      html: styled(
        `<p>请在登录页面输入以下验证码</p><p><a href="https://xingtu.test/login" style="background:#1677ff;color:#fff">381592</a></p><p>有效期5分钟。如非本人操作请忽略。</p>`,
      ),
      code: "381592",
    },
    {
      name: "数字在方括号里",
      from: "快递柜 <sms@kuaidigui.test>",
      subject: "邮箱验证",
      text: "【快递柜】您的动态密码为【７３０２】，2分钟内有效，切勿转发。",
      code: "7302",
    },
    {
      name: "验证码在图片说明里",
      from: "小站 <hi@xiaozhan.test>",
      subject: "欢迎加入小站",
      html: `<html><body><img src="https://xiaozhan.test/l.png" alt="小站"><div><img src="https://xiaozhan.test/c/1.png" alt="验证码：204817"></div><p>京ICP备 2025012345 号</p></body></html>`,
      code: "204817",
    },
    {
      name: "数字前的词在另一行的表格里",
      from: "游戏盒 <account@youxihe.test>",
      subject: "安全提醒",
      html: styled(
        `<table><tr><td>账号</td><td>an***4821</td></tr><tr><td>验证码</td><td>Q7X2M</td></tr><tr><td>时间</td><td>2025-03-14 14:30:22</td></tr><tr><td>IP</td><td>203.0.113.77</td></tr></table>`,
      ),
      code: "Q7X2M",
    },
  ],
  arabic,
  hindi,
};
