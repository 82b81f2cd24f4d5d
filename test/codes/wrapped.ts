import { styled, type Samples } from "./sample.ts";

/** Letters in old charsets and encodings. */
export const wrapped: Samples = {
  english: [
    {
      name: "base64, with a plain part that says nothing",
      from: "Lantern <noreply@lantern.test>",
      subject: "Lantern verification",
      text: "This message is best viewed in HTML. © 2025",
      html: styled(`<p>Your verification code</p><p><span>X4</span><span>7Q</span><span>9B</span></p>`),
      encoding: "base64",
      code: "X47Q9B",
    },
    {
      name: "quoted-printable, whose soft line breaks go through everything",
      from: "Lantern <noreply@lantern.test>",
      subject: "Passcode",
      text: `${"Somebody – we hope that it was you – asked to sign in. ".repeat(2)}Passcode: 920184`,
      html: styled(
        `<p>${"Somebody – we hope that it was you – asked to sign in. ".repeat(3)}Your passcode is <b style="color:#482913">920184</b>.</p>`,
      ),
      encoding: "quoted-printable",
      code: "920184",
    },
    {
      name: "a Japanese sender's letter in iso-2022-jp",
      from: "テスト商店 <info@shouten.test>",
      subject: "認証コードのお知らせ",
      text: "ログイン用の認証コードをお送りします。\r\n\r\n482913\r\n\r\n有効期限は10分です。",
      charset: "iso-2022-jp",
      code: "482913",
    },
  ],
  russian: [
    {
      name: "windows-1251",
      from: "Форум рыбаков <admin@rybaki.test>",
      subject: "Код активации",
      text: "Здравствуйте!\r\n\r\nКод активации: 7K29M4\r\n\r\nС 2003 по 2025 год с вами.",
      charset: "windows-1251",
      code: "7K29M4",
    },
    {
      name: "koi8-r",
      from: "Узел <postmaster@uzel.test>",
      subject: "Пароль на вход",
      html: "<html><body><p>Одноразовый пароль: <tt>48291305</tt></p><p>Узел 5020/2048</p></body></html>",
      charset: "koi8-r",
      encoding: "base64",
      code: "48291305",
    },
  ],
  spanish: [
    {
      name: "iso-8859-1",
      from: "Biblioteca <no-responder@biblio.test>",
      subject: "Código de activación",
      html: "<p>Su código de activación es:</p><center><font size=+2>603817</font></center><p>Año 2025, página 1204</p>",
      charset: "windows-1252",
      code: "603817",
    },
    {
      name: "base64 con caracteres invisibles",
      from: "Taxi Ya <codigos@taxiya.test>",
      subject: "Tu código",
      html: styled(`<p>Tu código: <b>73&shy;92&#8288;01</b></p>`),
      encoding: "base64",
      code: "739201",
    },
  ],
  chinese: [
    {
      name: "gb18030",
      from: "老论坛 <admin@laoluntan.test>",
      subject: "注册确认",
      html: "<p>您的确认码是 <b>603817</b>，请在24小时内输入。</p><p>版权所有 2003-2025</p>",
      charset: "gb18030",
      code: "603817",
    },
    {
      name: "base64 的纯文本与网页两部分",
      from: "好物商城 <service@haowu.test>",
      subject: "绑定邮箱",
      text: "请使用支持 HTML 的邮箱查看。",
      html: styled(`<p>您的验证码</p><p><b>６０３８１７</b></p><p>满1000元减200元</p>`),
      encoding: "base64",
      code: "603817",
    },
  ],
  arabic: [
    {
      name: "windows-1256",
      from: "منتدى القلم <admin@qalam.test>",
      subject: "رمز التفعيل",
      text: "رمز التفعيل: 73920184\r\n\r\nجميع الحقوق محفوظة 2003-2025",
      charset: "windows-1256",
      code: "73920184",
    },
    {
      name: "iso-8859-6",
      from: "بريد المدينة <info@madina.test>",
      subject: "تأكيد الاشتراك",
      html: '<html dir="rtl"><body><p>كود التأكيد</p><h1>6038</h1></body></html>',
      charset: "iso-8859-6",
      code: "6038",
    },
  ],
  hindi: [
    {
      name: "base64 में कोड",
      from: "रेलगाड़ी <ticket@relgadi.test>",
      subject: "मोबाइल सत्यापन",
      text: "HTML वाला ईमेल खोलें।",
      html: styled(`<p>आपका वन-टाइम पासवर्ड</p><p>६०३८१७</p><p>ट्रेन 12951, सीट 42</p>`),
      encoding: "base64",
      code: "603817",
    },
    {
      name: "quoted-printable में कोड",
      from: "रेलगाड़ी <ticket@relgadi.test>",
      subject: "आपका कोड",
      text: "पीएनआर 8402913301 के लिए आपका कोड: 5017",
      encoding: "quoted-printable",
      code: "5017",
    },
  ],
};
