import type { Language } from "../../i18n/languages.ts";

/** The sentences of one mail. The code stands alone after `lead`, and never in the subject, which screens show when locked. */
interface Sentences {
  readonly subject: string;
  readonly title: string;
  readonly lead: string;
  /** How long the code lives; {minutes}. */
  readonly life: string;
  /** For who never asked for it; {host}. */
  readonly ignore: string;
}

export const noticeKinds = ["activation-code", "reset-code"] as const;
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
  },
};
