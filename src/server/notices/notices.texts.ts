import type { Language } from "../../i18n/languages.ts";

/** The sentences of one mail. The code stands alone after `lead`, and never in the subject, which screens show when locked. */
interface Sentences {
  readonly subject: string;
  readonly title: string;
  /** {webhook}. */
  readonly lead: string;
  /** How long the code lives; {minutes}. Without a code: what to do now. */
  readonly life: string;
  /** Why he gets it, for who never asked for it; {host}. */
  readonly ignore: string;
}

export const noticeKinds = ["activation-code", "reset-code", "webhook-disabled"] as const;
export type NoticeKind = (typeof noticeKinds)[number];

export const texts: Record<Language, Record<NoticeKind, Sentences>> = {
  en: {
    "activation-code": {
      subject: "Your Postern activation code",
      title: "Activate your account",
      lead: "Enter this code to activate your Postern account:",
      life: "The code is valid for {minutes} minutes.",
      ignore: "If you did not register at {host}, just ignore this mail: without the code nothing happens.",
    },
    "reset-code": {
      subject: "Your Postern code for a new password",
      title: "Set a new password",
      lead: "Enter this code to set a new password for your Postern account:",
      life: "The code is valid for {minutes} minutes. Do not share it with anyone.",
      ignore: "If you did not ask for this at {host}, ignore this mail: your password stays as it is.",
    },
    "webhook-disabled": {
      subject: "Your Postern webhook was switched off",
      title: "A webhook was switched off",
      lead: "Nothing is sent to your webhook at {webhook} any more: it has accepted no event for 3 days, or it has answered that it wants none.",
      life: "Set it right, then switch it on again on the page “For programs” of your account. Events that happened meanwhile are not sent.",
      ignore: "You get this mail because the webhook belongs to your account at {host}.",
    },
  },
  ru: {
    "activation-code": {
      subject: "Код активации Postern",
      title: "Активируйте аккаунт",
      lead: "Введите этот код, чтобы активировать аккаунт Postern:",
      life: "Код действует {minutes} минут.",
      ignore:
        "Если вы не регистрировались на {host}, просто не обращайте внимания на это письмо: без кода ничего не произойдёт.",
    },
    "reset-code": {
      subject: "Код для нового пароля Postern",
      title: "Задайте новый пароль",
      lead: "Введите этот код, чтобы задать новый пароль для аккаунта Postern:",
      life: "Код действует {minutes} минут. Никому его не сообщайте.",
      ignore:
        "Если вы не запрашивали это на {host}, не обращайте внимания на это письмо: пароль останется прежним.",
    },
    "webhook-disabled": {
      subject: "Ваш вебхук Postern отключён",
      title: "Вебхук отключён",
      lead: "На ваш вебхук {webhook} больше ничего не отправляется: три дня он не принимал событий или ответил, что они ему не нужны.",
      life: "Исправьте его и включите снова на странице «Для программ» в вашем аккаунте. События, произошедшие за это время, не отправляются.",
      ignore: "Вы получили это письмо, потому что вебхук принадлежит вашему аккаунту на {host}.",
    },
  },
  es: {
    "activation-code": {
      subject: "Tu código de activación de Postern",
      title: "Activa tu cuenta",
      lead: "Introduce este código para activar tu cuenta de Postern:",
      life: "El código es válido durante {minutes} minutos.",
      ignore: "Si no te has registrado en {host}, ignora este mensaje: sin el código no ocurre nada.",
    },
    "reset-code": {
      subject: "Tu código de Postern para una contraseña nueva",
      title: "Elige una contraseña nueva",
      lead: "Introduce este código para elegir una contraseña nueva para tu cuenta de Postern:",
      life: "El código es válido durante {minutes} minutos. No lo compartas con nadie.",
      ignore: "Si no lo has pedido en {host}, ignora este mensaje: tu contraseña no cambia.",
    },
    "webhook-disabled": {
      subject: "Tu webhook de Postern se ha desactivado",
      title: "Un webhook se ha desactivado",
      lead: "Ya no se envía nada a tu webhook en {webhook}: lleva 3 días sin aceptar ningún evento o ha respondido que no quiere más.",
      life: "Corrígelo y vuelve a activarlo en la página «Para programas» de tu cuenta. Los eventos ocurridos mientras tanto no se envían.",
      ignore: "Recibes este mensaje porque el webhook pertenece a tu cuenta en {host}.",
    },
  },
  zh: {
    "activation-code": {
      subject: "您的 Postern 激活码",
      title: "激活您的账户",
      lead: "请输入以下验证码以激活您的 Postern 账户：",
      life: "验证码在 {minutes} 分钟内有效。",
      ignore: "如果您没有在 {host} 注册，请忽略此邮件：没有验证码，什么也不会发生。",
    },
    "reset-code": {
      subject: "用于重设 Postern 密码的验证码",
      title: "设置新密码",
      lead: "请输入以下验证码，为您的 Postern 账户设置新密码：",
      life: "验证码在 {minutes} 分钟内有效。请勿告诉任何人。",
      ignore: "如果您没有在 {host} 提出此请求，请忽略此邮件：您的密码不会改变。",
    },
    "webhook-disabled": {
      subject: "您的 Postern Webhook 已停用",
      title: "一个 Webhook 已停用",
      lead: "我们不再向您位于 {webhook} 的 Webhook 发送任何内容：它已有 3 天未接受任何事件，或表示不再需要事件。",
      life: "请修复它，然后在您账户的“程序接入”页面重新启用。在此期间发生的事件不会补发。",
      ignore: "您收到此邮件，是因为该 Webhook 属于您在 {host} 的账户。",
    },
  },
  ar: {
    "activation-code": {
      subject: "رمز تفعيل حسابك في Postern",
      title: "فعّل حسابك",
      lead: "أدخل هذا الرمز لتفعيل حسابك في Postern:",
      life: "الرمز صالح لمدة {minutes} دقيقة.",
      ignore: "إذا لم تسجّل في {host} فتجاهل هذه الرسالة: لن يحدث شيء من دون الرمز.",
    },
    "reset-code": {
      subject: "رمز تعيين كلمة مرور جديدة في Postern",
      title: "عيّن كلمة مرور جديدة",
      lead: "أدخل هذا الرمز لتعيين كلمة مرور جديدة لحسابك في Postern:",
      life: "الرمز صالح لمدة {minutes} دقيقة. لا تشاركه مع أي شخص.",
      ignore: "إذا لم تطلب ذلك في {host} فتجاهل هذه الرسالة: ستبقى كلمة مرورك كما هي.",
    },
    "webhook-disabled": {
      subject: "تم إيقاف الويب هوك الخاص بك في Postern",
      title: "تم إيقاف ويب هوك",
      lead: "لم نعد نرسل شيئًا إلى الويب هوك الخاص بك على {webhook}: لم يقبل أي حدث منذ 3 أيام، أو أجاب بأنه لا يريد المزيد.",
      life: "أصلحه ثم شغّله من جديد في صفحة «للبرامج» في حسابك. الأحداث التي وقعت في هذه الأثناء لن تُرسل.",
      ignore: "وصلتك هذه الرسالة لأن الويب هوك يخص حسابك في {host}.",
    },
  },
  hi: {
    "activation-code": {
      subject: "आपका Postern सक्रियण कोड",
      title: "अपना खाता सक्रिय करें",
      lead: "अपना Postern खाता सक्रिय करने के लिए यह कोड दर्ज करें:",
      life: "यह कोड {minutes} मिनट तक मान्य है।",
      ignore: "यदि आपने {host} पर पंजीकरण नहीं किया है, तो इस मेल को अनदेखा करें: कोड के बिना कुछ नहीं होगा।",
    },
    "reset-code": {
      subject: "नए पासवर्ड के लिए आपका Postern कोड",
      title: "नया पासवर्ड बनाएँ",
      lead: "अपने Postern खाते का नया पासवर्ड बनाने के लिए यह कोड दर्ज करें:",
      life: "यह कोड {minutes} मिनट तक मान्य है। इसे किसी के साथ साझा न करें।",
      ignore: "यदि आपने {host} पर यह अनुरोध नहीं किया है, तो इस मेल को अनदेखा करें: आपका पासवर्ड वही रहेगा।",
    },
    "webhook-disabled": {
      subject: "आपका Postern वेबहुक बंद कर दिया गया",
      title: "एक वेबहुक बंद कर दिया गया",
      lead: "{webhook} पर आपके वेबहुक को अब कुछ नहीं भेजा जाता: उसने 3 दिन से कोई इवेंट स्वीकार नहीं किया, या उत्तर दिया कि उसे और नहीं चाहिए।",
      life: "उसे ठीक करें, फिर अपने खाते के “प्रोग्राम के लिए” पेज पर उसे दोबारा चालू करें। इस बीच हुए इवेंट नहीं भेजे जाते।",
      ignore: "यह मेल आपको इसलिए मिला है क्योंकि यह वेबहुक {host} पर आपके खाते का है।",
    },
  },
};
