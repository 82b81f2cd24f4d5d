import { styled, type Sample } from "./sample.ts";

export const chinese: Sample[] = [
  {
    name: "验证码紧跟数字",
    from: "知乎 <noreply@mail.zhihu.com>",
    subject: "【知乎】验证码",
    text: "您的验证码是482913，10分钟内有效，请勿泄露。\n\n© 2025 知乎",
    code: "482913",
  },
  {
    name: "验证码单独一行",
    from: "哔哩哔哩 <noreply@notice.bilibili.com>",
    subject: "哔哩哔哩 邮箱验证码",
    html: styled(
      `<p>亲爱的用户：</p><p>您正在绑定邮箱，验证码为：</p><p style="color:#00a1d6;font-size:28px">739204</p><p>如非本人操作，请忽略。</p>`,
    ),
    code: "739204",
  },
  {
    name: "全角数字",
    from: "腾讯 <service@tencent.test>",
    subject: "安全验证",
    text: "动态密码：５０１７７３（5分钟内有效）。客服电话 400-670-0700，订单号 20250314482901。",
    code: "501773",
  },
  {
    name: "验证码在主题里",
    from: "微软帐户团队 <account-security-noreply@accountprotection.microsoft.com>",
    subject: "你的一次性代码为: 83920174",
    text: "我们收到了你的请求。2025年3月14日\n\n如果你没有请求此代码,可以放心地忽略这封电子邮件。",
    code: "83920174",
  },
  {
    name: "激活链接",
    from: "论坛 <admin@bbs.test>",
    subject: "请激活您的帐号",
    html: styled(
      `<p>点击下面的按钮完成注册：</p><a href="https://bbs.test/u/8c7b6a5d4e3f2a1b0c9d">激活帐号</a><p><a href="https://bbs.test/u/8c7b6a5d4e3f2a1b0c9d/off">退订</a></p>`,
    ),
    link: "https://bbs.test/u/8c7b6a5d4e3f2a1b0c9d",
  },
  {
    name: "字母数字混合",
    from: "云盘 <no-reply@cloud.test>",
    subject: "登录验证",
    text: "您的登录码：\nQ7X2M9\n请在 30 分钟内输入。共有 20000 位用户，1500元优惠。",
    code: "Q7X2M9",
  },
  {
    name: "优惠不是验证码",
    from: "商城 <edm@mall.test>",
    subject: "双11优惠 2024",
    text: "优惠代码 SALE2024 立减200元，订单编号 4829137，邮编 100080，客服热线 95118。",
  },
];

export const arabic: Sample[] = [
  {
    name: "رمز بأرقام عربية",
    from: "تطبيق <no-reply@app.test>",
    subject: "رمز التحقق",
    html: styled(`<p>مرحبًا،</p><p>رمز التحقق الخاص بك هو:</p><p>٤٨٢٩١٣</p><p>صالح لمدة ١٥ دقيقة.</p>`, "rtl"),
    code: "482913",
  },
  {
    name: "رمز بأرقام لاتينية",
    from: "سوق <noreply@souq.test>",
    subject: "تأكيد البريد الإلكتروني",
    text: "استخدم الرمز 739204 لتأكيد بريدك الإلكتروني.\n\nرقم الطلب 8402913، الإجمالي 1250 ريال، 2025",
    code: "739204",
  },
  {
    name: "رمز قبل الكلمة",
    from: "سناب <no_reply@snapchat.com>",
    subject: "تسجيل الدخول",
    text: "\u200f501773 هو رمز تسجيل الدخول الخاص بك. هاتف: +966 11 234 5678",
    code: "501773",
  },
  {
    name: "رمز في الموضوع فقط",
    from: "منصة <verify@platform.test>",
    subject: "رمز التفعيل الخاص بك: 6038",
    html: styled(`<p>أدخل الرمز المذكور في عنوان الرسالة. © 2025</p>`, "rtl"),
    code: "6038",
  },
  {
    name: "رابط تفعيل",
    from: "منتدى <admin@muntada.test>",
    subject: "تفعيل الحساب",
    html: styled(
      `<p>اضغط على الزر:</p><a href="https://muntada.test/a/1f2e3d4c5b6a79880a">تفعيل الحساب</a> <a href="https://muntada.test/privacy">سياسة الخصوصية</a>`,
      "rtl",
    ),
    link: "https://muntada.test/a/1f2e3d4c5b6a79880a",
  },
  {
    name: "كود مقسوم",
    from: "لعبة <codes@game.test>",
    subject: "كود الأمان",
    html: styled(`<p>كود الأمان:</p><p dir="ltr">928 - 104</p>`, "rtl"),
    code: "928104",
  },
  {
    name: "الخصم ليس رمزًا",
    from: "متجر <offers@matjar.test>",
    subject: "خصم 20% حتى 31/03/2025",
    text: "كود الخصم RAMADAN25، الرمز البريدي 12345، أكثر من 15000 مستخدم، السعر 1999 ريال.",
  },
];

export const hindi: Sample[] = [
  {
    name: "कोड वाक्य में",
    from: "ऐप <no-reply@app.test>",
    subject: "आपका सत्यापन कोड",
    html: styled(`<p>नमस्ते,</p><p>आपका सत्यापन कोड <b>482913</b> है। यह 15 मिनट तक मान्य है।</p>`),
    code: "482913",
  },
  {
    name: "देवनागरी अंक",
    from: "बैंक <otp@bank.test>",
    subject: "ओटीपी",
    text: "आपका ओटीपी:\n\n७३९२०४\n\nकिसी को न बताएं। फ़ोन: 1800 425 3800, राशि ₹12500, 14-03-2025",
    code: "739204",
  },
  {
    name: "अंग्रेज़ी शब्दों के साथ",
    from: "Flipkart <noreply@rmo.flipkart.com>",
    subject: "Flipkart खाता - 501773 आपका OTP है",
    text: "लॉग इन करने के लिए OTP 501773 डालें। ऑर्डर संख्या 8402913। 2025",
    code: "501773",
  },
  {
    name: "कोड अलग पंक्ति में",
    from: "खेल <hello@khel.test>",
    subject: "लॉगिन",
    html: styled(`<p>लॉगिन के लिए यह कोड डालें:</p><h2>60 38 21</h2><p>10000 अंक पाएं।</p>`),
    code: "603821",
  },
  {
    name: "पुष्टि लिंक",
    from: "मंच <admin@manch.test>",
    subject: "ईमेल की पुष्टि करें",
    html: styled(
      `<a href="https://manch.test/c?k=4b3a29187f6e5d4c3b">ईमेल की पुष्टि करें</a> <a href="https://manch.test/help">सहायता</a>`,
    ),
    link: "https://manch.test/c?k=4b3a29187f6e5d4c3b",
  },
  {
    name: "अक्षर और अंक",
    from: "सेवा <no-reply@seva.test>",
    subject: "सुरक्षा कोड",
    text: "सुरक्षा कोड: M4T9X2\nयह कोड 30 मिनट में समाप्त होगा।",
    code: "M4T9X2",
  },
  {
    name: "छूट का कोड नहीं",
    from: "दुकान <offers@dukan.test>",
    subject: "20% छूट 2025",
    text: "छूट कूपन कोड DIWALI25। ऑर्डर 482913 भेज दिया गया। 15000 लोग खुश हैं। ₹1999 में।",
  },
];
