import type { Language } from "../../i18n/languages.ts";
import { ownerKinds } from "./mailer.owner.texts.ts";

/** The code follows `lead`, and is never in the subject, which locked screens show. */
export interface Sentences {
  readonly subject: string;
  readonly title: string;
  /** {webhook}. */
  readonly lead: string;
  /** The life of the code; {minutes}. Without a code: what to do now. */
  readonly life: string;
  /** For a reader who did not ask for the mail; {host}. */
  readonly ignore: string;
}

/** They live for minutes, so they go before other mail. */
export const codeKinds = ["activation-code", "reset-code"] as const;
export const isCode = (kind: string): boolean => codeKinds.some((code) => code === kind);
const askedKinds = [...codeKinds, "webhook-disabled"] as const;

export const noticeKinds = [...askedKinds, ...ownerKinds] as const;
export type NoticeKind = (typeof noticeKinds)[number];

/** Before the link that does what the code does. */
export const linkTexts: Record<Language, string> = {
  en: "Or open this link:",
  ru: "Или откройте эту ссылку:",
  es: "O abre este enlace:",
  zh: "或打开以下链接：",
  ar: "أو يمكن فتح هذا الرابط:",
  hi: "या यह लिंक खोलें:",
};

export const texts: Record<Language, Record<(typeof askedKinds)[number], Sentences>> = {
  en: {
    "activation-code": {
      subject: "Your Postern activation code",
      title: "Activate your account",
      lead: "Enter this code to activate your Postern account:",
      life: "The code and the link are valid for {minutes} minutes.",
      ignore: "If you did not sign up at {host}, ignore this email. Nothing happens without the code.",
    },
    "reset-code": {
      subject: "Your Postern password reset code",
      title: "Set a new password",
      lead: "Enter this code to set a new password for your Postern account:",
      life: "The code and the link are valid for {minutes} minutes. Do not share them with anyone.",
      ignore: "If you did not request this at {host}, ignore this email. Your password stays the same.",
    },
    "webhook-disabled": {
      subject: "Your Postern webhook was switched off",
      title: "A webhook was switched off",
      lead: "We stopped sending events to your webhook {webhook}: it accepted none for 3 days, or it replied that it wants no more.",
      life: "Fix it, then switch it on again on the page “For programs” of your account. We do not send the events that happened in the meantime.",
      ignore: "You received this email because the webhook belongs to your account at {host}.",
    },
  },
  ru: {
    "activation-code": {
      subject: "Код активации Postern",
      title: "Активируйте аккаунт",
      lead: "Введите этот код, чтобы активировать аккаунт Postern:",
      life: "Код и ссылка действуют {minutes} минут.",
      ignore:
        "Если вы не регистрировались на {host}, просто проигнорируйте это письмо: без кода ничего не произойдёт.",
    },
    "reset-code": {
      subject: "Код для нового пароля Postern",
      title: "Задайте новый пароль",
      lead: "Введите этот код, чтобы задать новый пароль для аккаунта Postern:",
      life: "Код и ссылка действуют {minutes} минут. Никому их не сообщайте.",
      ignore:
        "Если вы не запрашивали это на {host}, просто проигнорируйте это письмо: пароль останется прежним.",
    },
    "webhook-disabled": {
      subject: "Ваш вебхук Postern отключён",
      title: "Вебхук отключён",
      lead: "Мы больше ничего не отправляем на ваш вебхук {webhook}: 3 дня он не принимал события или ответил, что они ему больше не нужны.",
      life: "Исправьте его и включите снова на странице «Для программ» своего аккаунта. События, которые произойдут за это время, мы не отправим.",
      ignore: "Вы получили это письмо, потому что вебхук принадлежит вашему аккаунту на {host}.",
    },
  },
  es: {
    "activation-code": {
      subject: "Tu código de activación de Postern",
      title: "Activa tu cuenta",
      lead: "Escribe este código para activar tu cuenta de Postern:",
      life: "El código y el enlace son válidos durante {minutes} minutos.",
      ignore: "Si no te has registrado en {host}, ignora este correo: sin el código no ocurre nada.",
    },
    "reset-code": {
      subject: "Tu código de Postern para restablecer la contraseña",
      title: "Elige una contraseña nueva",
      lead: "Escribe este código para elegir una contraseña nueva para tu cuenta de Postern:",
      life: "El código y el enlace son válidos durante {minutes} minutos. No los compartas con nadie.",
      ignore: "Si no lo has pedido en {host}, ignora este correo: tu contraseña no cambia.",
    },
    "webhook-disabled": {
      subject: "Tu webhook de Postern se ha desactivado",
      title: "Se ha desactivado un webhook",
      lead: "Hemos dejado de enviar eventos a tu webhook {webhook}: lleva 3 días sin aceptar ninguno o ha respondido que no quiere más.",
      life: "Corrígelo y vuelve a activarlo en la página «Para programas» de tu cuenta. Los eventos ocurridos mientras tanto no se enviarán.",
      ignore: "Recibes este correo porque el webhook pertenece a tu cuenta en {host}.",
    },
  },
  zh: {
    "activation-code": {
      subject: "您的 Postern 账户激活验证码",
      title: "激活您的账户",
      lead: "请输入以下验证码以激活您的 Postern 账户：",
      life: "验证码和链接在 {minutes} 分钟内有效。",
      ignore: "如果您没有在 {host} 注册，请忽略此邮件：没有验证码，什么也不会发生。",
    },
    "reset-code": {
      subject: "用于重设 Postern 密码的验证码",
      title: "设置新密码",
      lead: "请输入以下验证码，为您的 Postern 账户设置新密码：",
      life: "验证码和链接在 {minutes} 分钟内有效。请勿告诉任何人。",
      ignore: "如果您没有在 {host} 提出此请求，请忽略此邮件：您的密码不会改变。",
    },
    "webhook-disabled": {
      subject: "您的 Postern Webhook 已停用",
      title: "一个 Webhook 已停用",
      lead: "我们已停止向您的 Webhook（{webhook}）发送事件：它已连续 3 天未接收任何事件，或已表示不再需要。",
      life: "请先修复，再到您账户的“程序接入”页面重新启用。在此期间发生的事件不会补发。",
      ignore: "您收到此邮件，是因为该 Webhook 属于您在 {host} 的账户。",
    },
  },
  ar: {
    "activation-code": {
      subject: "رمز تفعيل حسابك في Postern",
      title: "تفعيل حسابك",
      lead: "لتفعيل حسابك في Postern يُرجى إدخال هذا الرمز:",
      life: "الرمز والرابط صالحان لمدة {minutes} دقيقة.",
      ignore: "إن لم يصدر هذا الطلب عنك في ⁨{host}⁩ فيمكن تجاهل هذه الرسالة: لن يحدث شيء من دون الرمز.",
    },
    "reset-code": {
      subject: "رمز تعيين كلمة مرور جديدة في Postern",
      title: "تعيين كلمة مرور جديدة",
      lead: "لتعيين كلمة مرور جديدة لحسابك في Postern يُرجى إدخال هذا الرمز:",
      life: "الرمز والرابط صالحان لمدة {minutes} دقيقة. يُرجى عدم مشاركتهما مع أي شخص.",
      ignore: "إن لم يصدر هذا الطلب عنك في ⁨{host}⁩ فيمكن تجاهل هذه الرسالة: ستبقى كلمة مرورك كما هي.",
    },
    "webhook-disabled": {
      subject: "أُوقف الويب هوك الخاص بك في Postern",
      title: "أُوقف ويب هوك",
      lead: "توقفنا عن إرسال الأحداث إلى الويب هوك الخاص بك على ⁨{webhook}⁩: لم يقبل أي حدث طوال 3 أيام، أو أجاب بأنه لا يريد المزيد.",
      life: "بعد إصلاحه يمكن تشغيله من جديد في صفحة «للبرامج» في حسابك. الأحداث التي وقعت في هذه الأثناء لن تُرسل.",
      ignore: "وصلتك هذه الرسالة لأن الويب هوك يخص حسابك في ⁨{host}⁩.",
    },
  },
  hi: {
    "activation-code": {
      subject: "Postern खाता सक्रिय करने का आपका कोड",
      title: "अपना खाता सक्रिय करें",
      lead: "अपना Postern खाता सक्रिय करने के लिए यह कोड दर्ज करें:",
      life: "यह कोड और लिंक {minutes} मिनट तक मान्य हैं।",
      ignore: "अगर आपने {host} पर रजिस्टर नहीं किया है, तो इस ईमेल को अनदेखा करें: कोड के बिना कुछ नहीं होगा।",
    },
    "reset-code": {
      subject: "Postern का नया पासवर्ड बनाने का आपका कोड",
      title: "नया पासवर्ड बनाएँ",
      lead: "अपने Postern खाते का नया पासवर्ड बनाने के लिए यह कोड दर्ज करें:",
      life: "यह कोड और लिंक {minutes} मिनट तक मान्य हैं। इन्हें किसी के साथ साझा न करें।",
      ignore: "अगर आपने {host} पर यह अनुरोध नहीं किया है, तो इस ईमेल को अनदेखा करें: आपका पासवर्ड वही रहेगा।",
    },
    "webhook-disabled": {
      subject: "आपका Postern वेबहुक बंद कर दिया गया",
      title: "एक वेबहुक बंद कर दिया गया",
      lead: "हमने {webhook} पर आपके वेबहुक को इवेंट भेजना बंद कर दिया है: उसने 3 दिन से कोई इवेंट स्वीकार नहीं किया, या जवाब दिया कि उसे और नहीं चाहिए।",
      life: "उसे ठीक करें, फिर अपने खाते के “प्रोग्राम के लिए” पेज पर उसे दोबारा चालू करें। इस बीच हुए इवेंट नहीं भेजे जाएँगे।",
      ignore: "यह ईमेल आपको इसलिए मिला है क्योंकि यह वेबहुक {host} पर आपके खाते का है।",
    },
  },
};
