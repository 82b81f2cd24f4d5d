import { styled, type Sample } from "./sample.ts";

/** Written before the finder was last changed, to test it on unknown letters. */
export const heldOut: Sample[] = [
  {
    name: "a login code with device, place and a reference below",
    from: "Talkie <no-reply@talkie.test>",
    subject: "New login attempt",
    html: styled(
      `<h2>Confirm it's you</h2><p>We noticed a sign-in from a device we don't recognise. To continue, use the code below.</p>
<table align="center"><tr><td style="letter-spacing:6px;background:#f0f2f5;color:#1d2129">482913</td></tr></table>
<table><tr><td>Device</td><td>Chrome 131 on Windows 10</td></tr><tr><td>Location</td><td>Lisbon, Portugal</td></tr><tr><td>IP address</td><td>198.51.100.23</td></tr><tr><td>Time</td><td>14 March 2025, 14:30 UTC</td></tr></table>
<p>Reference: 7F3A92C1</p>`,
    ),
    code: "482913",
  },
  {
    name: "a device code of letters alone",
    from: "Buildbox <accounts@buildbox.test>",
    subject: "Finish signing in to the Buildbox CLI",
    text: "Hi ann,\n\nTo link this terminal with your account, enter this code at buildbox.test/device:\n\n    HTRB-KQWZ\n\nThe request came from 203.0.113.9 and is valid until 16:05 UTC.\n\nBuildbox v4.18.2",
    code: "HTRB-KQWZ",
  },
  {
    name: "a security code between an account name and a request number",
    from: "Ironkeep Games <support@ironkeep.test>",
    subject: "Ironkeep account: e-mail change requested",
    text: "Hello knight_2013,\n\nA change of the e-mail address was requested on 2025-03-14 at 09:12 (request 20931187).\n\nSecurity code: 4FJ7Q\n\nYou'll need it within the next 30 minutes. Ironkeep staff will never ask for it.\n\n--\nIronkeep Games, PO Box 51820, Tampere 33101",
    code: "4FJ7Q",
  },
  {
    name: "пароль банка для операции",
    from: "Северный банк <info@sevbank.test>",
    subject: "Подтверждение операции",
    text: "Пароль для подтверждения: 4829\nПокупка на сумму 12 500,00 RUB, карта *4821, 14.03.2025 14:30.\nНикому не сообщайте пароль, даже сотрудникам банка. 8 800 555-35-35",
    code: "4829",
  },
  {
    name: "проверочный код в отдельных ячейках",
    from: "Ларёк <robot@larek.test>",
    subject: "Регистрация в Ларьке",
    html: styled(
      `<p>Введите проверочный код на странице регистрации:</p><table cellpadding="8"><tr><td>7</td><td>&nbsp;</td><td>3</td><td>&nbsp;</td><td>0</td><td>&nbsp;</td><td>8</td></tr></table><p>Ваш последний заказ № 48213-7 ждёт вас до 20.03.</p>`,
    ),
    code: "7308",
  },
  {
    name: "новый вход без кода",
    from: "Почтамт ID <security@pochtamt.test>",
    subject: "Выполнен вход в ваш аккаунт",
    html: styled(
      `<p>14 марта 2025 в 14:30 в ваш аккаунт вошли с нового устройства.</p><p>Firefox 136, Windows 11, IP 203.0.113.77, код региона 77</p><p>Если это были вы, ничего делать не нужно. Если нет — <a href="https://id.pochtamt.test/security/password">смените пароль</a> и <a href="https://id.pochtamt.test/security/sessions">завершите сеансы</a>.</p>`,
    ),
  },
  {
    name: "código con espacio y una parte de texto pobre",
    from: "Plaza <hola@plaza.test>",
    subject: "Tu código de acceso",
    text: "Tu programa de correo no muestra HTML. Abre este mensaje en otro programa.",
    html: styled(
      `<p>¡Hola, Ana!</p><p>Tu código es</p><p style="font-size:32px"><strong>381&nbsp;592</strong></p><p>No se lo digas a nadie. Expira a las 18:45.</p>`,
    ),
    code: "381592",
  },
  {
    name: "enlace con la palabra aquí detrás de un contador",
    from: "Biblioteca <avisos@biblio.test>",
    subject: "Recupera tu contraseña",
    html: styled(
      `<p>Has pedido una contraseña nueva para tu carné 20481957.</p><p>Para crearla haz clic <a href="https://clics.correo.test/ls/click?upn=u001.hT4mZq81LkVx93PwRb2">aquí</a>.</p><p>Si no has sido tú, <a href="https://clics.correo.test/ls/click?upn=u001.Pq93kLmZ81TvXw27aYc">avísanos</a>.</p>`,
    ),
    link: "https://clics.correo.test/ls/click?upn=u001.hT4mZq81LkVx93PwRb2",
  },
  {
    name: "全角数字之间有空格",
    from: "好物商城 <service@haowu.test>",
    subject: "【好物商城】邮箱绑定",
    text: "尊敬的用户，您正在绑定邮箱。\n校验码：９ ２ ０ １ ８ ４\n订单号 2025031448291，客服热线 400-820-8820，满199元包邮。",
    code: "920184",
  },
  {
    name: "big5 的驗證碼",
    from: "島嶼論壇 <admin@daoyu.test>",
    subject: "登入驗證",
    text: "您好，\r\n\r\n您的驗證碼為 739204，請於 10 分鐘內輸入。\r\n\r\n島嶼論壇 2003-2025",
    charset: "big5",
    code: "739204",
  },
  {
    name: "رمز دخول بين علامات الاتجاه",
    from: "مصرف النخيل <otp@nakhil.test>",
    subject: "تأكيد عملية",
    text: "رمز الدخول لمرة واحدة: \u200e\u2066٥٠١٧٧٣\u2069\u200e\nالمبلغ ١٬٢٥٠٫٠٠ ر.س من البطاقة المنتهية بـ ٤٨٢١ بتاريخ ١٤/٠٣/٢٠٢٥.\nلا تشارك هذا الرمز مع أحد. ٩٢٠٠٠١٢٣٤",
    code: "501773",
  },
  {
    name: "شحنة بلا رمز",
    from: "متجر الواحة <orders@waha.test>",
    subject: "تم شحن طلبك 482913",
    html: styled(
      `<p>مرحبًا آن،</p><p>تم شحن طلبك رقم 482913. رقم التتبع: 9400100022.</p><p>الإجمالي: 1299 ريال. يصل بين 14 و16 مارس 2025.</p><a href="https://waha.test/track/9400100022">تتبع الشحنة</a>`,
      "rtl",
    ),
  },
  {
    name: "देवनागरी अंकों का वन टाइम पासवर्ड",
    from: "गंगा बैंक <otp@ganga.test>",
    subject: "लेनदेन की पुष्टि",
    text: "प्रिय ग्राहक,\n\n₹12,500 के लेनदेन के लिए आपका वन टाइम पासवर्ड (OTP) ७३९२०४ है। यह 10 मिनट तक मान्य है।\n\nकार्ड XX4821, दिनांक 14-03-2025. सहायता: 1800 425 3800",
    code: "739204",
  },
  {
    name: "यहाँ क्लिक करें वाला लिंक",
    from: "पाठशाला <no-reply@pathshala.test>",
    subject: "अपना खाता सक्रिय करें",
    html: styled(
      `<p>नमस्ते, आपका खाता बन गया है।</p><p>खाता सक्रिय करने के लिए <a href="https://pathshala.test/u/5f4e3d2c1b0a9988/start">यहाँ क्लिक करें</a>।</p><p>यह आपने नहीं किया? <a href="https://pathshala.test/u/5f4e3d2c1b0a9988/deny">हमें बताएं</a></p>`,
    ),
    link: "https://pathshala.test/u/5f4e3d2c1b0a9988/start",
  },
  {
    name: "a new code above a quoted older one",
    from: "Helpdesk <desk@hosting.test>",
    subject: "Re: [#20931187] Code did not arrive",
    text: "Hi Ann,\n\nsorry about that. Here is a fresh code for you: 204817\n\nBest,\nTim\n\nOn Fri, Mar 14, 2025 at 2:30 PM Hosting wrote:\n> Your verification code is 381592.\n> It expires in 15 minutes.",
    code: "204817",
  },
];

/** Written after the rules, which were not changed for them before the count. */
export const laterHeldOut: Sample[] = [
  {
    name: "seven digits for an account whose name is masked",
    from: "Mosaic account team <account-security@mosaic.test>",
    subject: "Mosaic account security code",
    text: "Please use the following security code for the Mosaic account an*****1@letters.test.\n\nSecurity code: 8203917\n\nIf you don't recognize the Mosaic account, you can click here to remove your email address from that account:\nhttps://account.mosaic.test/dmn?epid=AVx83kQm2Lr93hTnVx71\n\nThanks,\nThe Mosaic account team",
    code: "8203917",
  },
  {
    name: "a one time password under a long sentence",
    from: "Riverbend <account-update@riverbend.test>",
    subject: "Verify your new Riverbend account",
    html: styled(
      `<p>To verify your email address, please use the following One Time Password (OTP):</p><p class="otp">920184</p><p>Do not share this OTP with anyone. Riverbend takes your account security very seriously. If you receive a suspicious email with a link to update your account information, do not click on the link — report it at <a href="https://riverbend.test/gp/help">Customer Service</a>.</p>`,
    ),
    code: "920184",
  },
  {
    name: "two-factor sign in code under a big heading",
    from: "Pixelforge <help@acct.pixelforge.test>",
    subject: "Your two-factor sign in code",
    html: styled(
      `<div>Sign in to Pixelforge</div><div style="font-size:40px">603 821</div><div>Your two-factor sign in code</div><div>This code expires in 5 minutes. Players: 250000 online. Pixelforge, Box 254, 2500 Crossroads Blvd, Cary, NC 27518</div>`,
    ),
    code: "603821",
  },
  {
    name: "an e-statement whose password is described",
    from: "Granite Bank <estatement@granite.test>",
    subject: "Your e-statement for March 2025",
    text: "Dear customer,\n\nYour statement for account XX4821 is attached. To open it use the password made of the first four letters of your name and your day and month of birth, for example ANNA1403.\n\nClosing balance: 20481.50\nHelpline 18002667",
  },
  {
    name: "a magic link behind a button that says the name of the place",
    from: "Huddle <no-reply@huddle.test>",
    subject: "Confirm your email on Huddle",
    html: styled(
      `<h1>Confirm your email to get started</h1><p>Once you've confirmed that ann@letters.test is yours, we'll help you set up.</p><a href="https://huddle.test/z-81/confirm/CLZk39dLq0PbW71mXsVx">Confirm email</a><p>Didn't ask for this? <a href="https://huddle.test/help/articles/2048">Let us know</a></p><a href="https://huddle.test/blog">Our blog</a>`,
    ),
    link: "https://huddle.test/z-81/confirm/CLZk39dLq0PbW71mXsVx",
  },
  {
    name: "использовать число без слова рядом",
    from: "Телеграф <noreply@telegraf.test>",
    subject: "Код для входа",
    text: "Код для входа в Телеграф: 48213. Не давайте код никому, даже если его требуют от имени Телеграфа!\n\nЭтот код используется для входа в ваш аккаунт. Если вы не запрашивали код, просто проигнорируйте это письмо.",
    code: "48213",
  },
  {
    name: "код и срок в одной строке",
    from: "Ягодка <no-reply@yagodka.test>",
    subject: "Ягодка: авторизация",
    html: styled(
      `<p>Ваш код для авторизации — <span style="white-space:nowrap">738204</span>. Срок действия 3 минуты.</p><p>ИП Иванова, ОГРНИП 304540204817, 2012–2025</p>`,
    ),
    code: "738204",
  },
  {
    name: "показания счётчиков",
    from: "Горводоканал <lk@vodokanal.test>",
    subject: "Напоминаем о показаниях",
    text: "Лицевой счёт 4820193\nПоследние показания: 01204\nПередайте новые до 25.03.2025.\nЕсли вы забыли код доступа, обратитесь в абонентский отдел: 383-204-817.",
  },
  {
    name: "pin temporal",
    from: "Gimnasio Roca <recepcion@gimroca.test>",
    subject: "Bienvenida al gimnasio",
    text: "Hola Ana:\n\nYa puedes entrar en la app con tu correo y este PIN temporal: 5017\nCámbialo cuando entres.\n\nTu número de socia es 204817. Cuota: 1999 pesos.",
    code: "5017",
  },
  {
    name: "factura de la luz",
    from: "Luz del Valle <facturas@luzvalle.test>",
    subject: "Tu factura de marzo 2025",
    html: styled(
      `<p>Importe: 84,20 €</p><p>Contrato: 48201933</p><p>CUPS: ES0021000004821933</p><p>Código de cliente: 603817</p><p>Vencimiento: 31/03/2025</p><a href="https://luzvalle.test/facturas/2025/03">Ver factura</a>`,
    ),
  },
  {
    name: "código al principio del texto",
    from: "Red Amiga <hola@redamiga.test>",
    subject: "Inicia sesión en Red Amiga",
    html: styled(
      `<p><b>738204</b> es tu código para entrar en Red Amiga.</p><p>Si no lo pediste, ignora este correo. Nadie de Red Amiga te pedirá el código.</p>`,
    ),
    code: "738204",
  },
  {
    name: "验证码写在数字后面的括号里",
    from: "拼购 <noreply@pingou.test>",
    subject: "拼购登录",
    text: "【拼购】739204（登录验证码，请勿泄露），如非本人操作，请致电4008208820。",
    code: "739204",
  },
  {
    name: "每个数字一个标签",
    from: "看点 <service@kandian.test>",
    subject: "请验证您的邮箱地址",
    html: styled(
      `<p>您正在登录看点，验证码：</p><p><span>7</span> <span>3</span> <span>0</span> <span>2</span></p><p>2025年3月14日 14:30:22</p>`,
    ),
    code: "7302",
  },
  {
    name: "确认邮箱和不是我两个按钮",
    from: "云记 <hello@yunji.test>",
    subject: "确认您的邮箱",
    html: styled(
      `<a href="https://yunji.test/e/7f3a9c1e5b2d8846/ok">确认邮箱</a><a href="https://yunji.test/e/7f3a9c1e5b2d8846/no">不是我注册的</a><p><a href="https://yunji.test/privacy">隐私政策</a></p>`,
    ),
    link: "https://yunji.test/e/7f3a9c1e5b2d8846/ok",
  },
  {
    name: "استخدم الرقم كرمز",
    from: "طلبات البيت <no-reply@talabat-bait.test>",
    subject: "تسجيل جديد",
    text: "مرحبًا!\n\nاستخدم 738204 كرمز تحقق لحسابك في طلبات البيت.\n\nإذا لم تطلب ذلك فتجاهل الرسالة. عمّان 11194",
    code: "738204",
  },
  {
    name: "فاتورة الكهرباء",
    from: "كهرباء الساحل <bills@kahraba.test>",
    subject: "فاتورتك لشهر مارس 2025",
    text: "رقم العداد: 204817\nرقم الاشتراك: 48201933\nالمبلغ المستحق: ٣٤٥٫٢٠ ريال\nآخر موعد ٣١/٠٣/٢٠٢٥\nرمز المنطقة: 0126",
  },
  {
    name: "अंग्रेज़ी के साथ ओटीपी और संदर्भ",
    from: "भुगतान <alerts@bhugtan.test>",
    subject: "OTP for your login",
    text: "प्रिय उपयोगकर्ता, आपके लॉगिन के लिए OTP: 482913. Ref No. 884213. यह 5 मिनट में समाप्त होगा। Do not share.",
    code: "482913",
  },
  {
    name: "नंबर पहले, कोड बाद में",
    from: "मित्र <no-reply@mitra.test>",
    subject: "मित्र में आपका स्वागत है",
    html: styled(`<p>738204 आपका मित्र सत्यापन कोड है। इसे गुप्त रखें।</p><p>दिल्ली 110001</p>`),
    code: "738204",
  },
  {
    name: "बिजली बिल",
    from: "विद्युत विभाग <bill@vidyut.test>",
    subject: "मार्च 2025 का बिल",
    text: "उपभोक्ता संख्या: 48201933\nमीटर रीडिंग: 12048\nदेय राशि: ₹1,299\nअंतिम तिथि 31-03-2025",
  },
  {
    name: "a booking whose gate needs no code",
    from: "Lakeside Camp <stay@lakeside.test>",
    subject: "Booking 7H4X9Q2 confirmed",
    html: styled(
      `<p>Booking 7H4X9Q2, 14–16 March 2025, pitch 2048.</p><p>Total 1299 kr. Check in at the desk; no code is needed at the gate after 20:00.</p><a href="https://lakeside.test/b/7H4X9Q2">Manage booking</a>`,
    ),
  },
];
