// Mails that tell the owner of an account about its second factors.
import type { Language } from "../../i18n/languages.ts";

export const factorKinds = ["factor-added", "factor-removed", "recovery-used"] as const;

interface Act {
  readonly title: string;
  readonly lead: string;
}

export const factorTexts: Record<Language, Record<(typeof factorKinds)[number], Act>> = {
  en: {
    "factor-added": {
      title: "A second factor was added",
      lead: "A passkey or an authenticator app was added to your Postern account. The password alone does not open it any more.",
    },
    "factor-removed": {
      title: "A second factor was removed",
      lead: "A passkey or an authenticator app was removed from your Postern account.",
    },
    "recovery-used": {
      title: "A recovery code was used",
      lead: "Someone signed in to your Postern account, or proved who they are, with one of its recovery codes.",
    },
  },
  ru: {
    "factor-added": {
      title: "Добавлен второй фактор",
      lead: "К вашему аккаунту Postern добавлен ключ доступа или приложение-аутентификатор. Одного пароля теперь недостаточно.",
    },
    "factor-removed": {
      title: "Второй фактор удалён",
      lead: "Из вашего аккаунта Postern удалён ключ доступа или приложение-аутентификатор.",
    },
    "recovery-used": {
      title: "Использован резервный код",
      lead: "В ваш аккаунт Postern вошли или подтвердили личность с помощью одного из резервных кодов.",
    },
  },
  es: {
    "factor-added": {
      title: "Se ha añadido un segundo factor",
      lead: "Se ha añadido una llave de acceso o una aplicación de autenticación a tu cuenta de Postern. La contraseña sola ya no la abre.",
    },
    "factor-removed": {
      title: "Se ha quitado un segundo factor",
      lead: "Se ha quitado una llave de acceso o una aplicación de autenticación de tu cuenta de Postern.",
    },
    "recovery-used": {
      title: "Se ha usado un código de recuperación",
      lead: "Se ha entrado en tu cuenta de Postern, o se ha confirmado la identidad, con uno de sus códigos de recuperación.",
    },
  },
  zh: {
    "factor-added": {
      title: "已添加第二重验证",
      lead: "您的 Postern 账户已添加通行密钥或验证器应用。仅凭密码不再能登录。",
    },
    "factor-removed": {
      title: "已移除第二重验证",
      lead: "您的 Postern 账户已移除一个通行密钥或验证器应用。",
    },
    "recovery-used": {
      title: "已使用恢复代码",
      lead: "有人使用恢复代码登录了您的 Postern 账户，或确认了身份。",
    },
  },
  ar: {
    "factor-added": {
      title: "تمت إضافة عامل تحقق ثانٍ",
      lead: "أُضيف مفتاح مرور أو تطبيق مصادقة إلى حساب Postern. كلمة المرور وحدها لم تعد تفتحه.",
    },
    "factor-removed": {
      title: "تمت إزالة عامل تحقق ثانٍ",
      lead: "أُزيل مفتاح مرور أو تطبيق مصادقة من حساب Postern.",
    },
    "recovery-used": {
      title: "تم استخدام رمز استرداد",
      lead: "جرى الدخول إلى حساب Postern، أو تأكيد الهوية، بأحد رموز الاسترداد.",
    },
  },
  hi: {
    "factor-added": {
      title: "दूसरा सत्यापन जोड़ा गया",
      lead: "आपके Postern खाते में एक पासकी या ऑथेंटिकेटर ऐप जोड़ा गया। अब केवल पासवर्ड से खाता नहीं खुलता।",
    },
    "factor-removed": {
      title: "दूसरा सत्यापन हटाया गया",
      lead: "आपके Postern खाते से एक पासकी या ऑथेंटिकेटर ऐप हटाया गया।",
    },
    "recovery-used": {
      title: "रिकवरी कोड इस्तेमाल हुआ",
      lead: "किसी ने रिकवरी कोड से आपके Postern खाते में साइन इन किया या अपनी पहचान साबित की।",
    },
  },
};
