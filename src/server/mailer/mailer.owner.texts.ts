// Mails that tell the owner what opens the account, or changes who may enter it. They have the same parts, but for what happened.
import type { OfficeRole } from "../../contract/endpoint.ts";
import type { Language } from "../../i18n/languages.ts";
import { factorKinds, factorTexts } from "./mailer.factor.texts.ts";
import { officeKinds, officeTexts } from "./mailer.office.texts.ts";
import { withdrawalActs, withdrawalOwnerKinds } from "./mailer.withdrawal.texts.ts";

export const ownerKinds = [
  "signed-in-elsewhere",
  "password-changed",
  "email-changed",
  "token-replaced",
  "token-added",
  "webhook-added",
  "telegram-linked",
  "role-granted",
  ...factorKinds,
  ...officeKinds,
  ...withdrawalOwnerKinds,
] as const;
export type OwnerKind = (typeof ownerKinds)[number];

/** What an account may be granted; `admin` is in mails of the release before. */
export type GrantedRole = OfficeRole | "admin" | "investor";

/** What happened: the title is the subject too. */
interface Act {
  readonly title: string;
  /** {webhook}, {role}, {email}. */
  readonly lead: string;
}

interface OwnerTexts {
  readonly when: string;
  readonly network: string;
  readonly program: string;
  /** More often than once: {times}. */
  readonly times: string;
  readonly life: string;
  /** Before the link, which is named `button` as the page names it. */
  readonly link: string;
  readonly button: string;
  readonly ignore: string;
  readonly roles: Record<GrantedRole, string>;
  /** Whose act it was, if no person's of the back office. */
  readonly operator: string;
  readonly acts: Record<OwnerKind, Act>;
}

export const ownerTexts: Record<Language, OwnerTexts> = {
  en: {
    when: "When: {at}",
    network: "Network address: {network}",
    program: "Program: {program}",
    times: "How many times since the email before: {times}",
    life: "If you know about this, there is nothing to do.",
    link: "If you do not, open this link to end all access to your account:",
    button: "This was not me",
    ignore:
      "You received this email because you have an account at {host}. The link works once, within 7 days.",
    roles: {
      owner: "owner",
      money: "money",
      support: "support",
      editor: "editor",
      admin: "administrator",
      investor: "investor",
    },
    operator: "the operator’s command",
    acts: {
      ...officeTexts.en,
      ...withdrawalActs.en,
      ...factorTexts.en,
      "signed-in-elsewhere": {
        title: "New sign-in to your account",
        lead: "Someone signed in to your Postern account from a network that the account was not used from in the last 30 days.",
      },
      "password-changed": {
        title: "Your password was changed",
        lead: "A new password was set for your Postern account.",
      },
      "email-changed": {
        title: "Your email address was changed",
        lead: "The email address of your Postern account is now {email}. The link below also restores this address.",
      },
      "token-replaced": {
        title: "Your token was replaced",
        lead: "The token of your Postern account was replaced. The old one no longer works.",
      },
      "token-added": {
        title: "A limited token was made",
        lead: "A limited token was made for your Postern account. A program can place orders with it.",
      },
      "webhook-added": {
        title: "A webhook was set up",
        lead: "A webhook of your Postern account now sends events to {webhook}.",
      },
      "telegram-linked": {
        title: "A Telegram chat was linked",
        lead: "A Telegram chat was linked to your Postern account. It gets your letters and can place orders.",
      },
      "role-granted": {
        title: "Your account has a new role",
        lead: "Your Postern account now has this role: {role}.",
      },
    },
  },
  ru: {
    when: "Когда: {at}",
    network: "Сетевой адрес: {network}",
    program: "Программа: {program}",
    times: "Сколько раз с прошлого письма: {times}",
    life: "Если вы об этом знаете, ничего делать не нужно.",
    link: "Если нет, откройте эту ссылку, чтобы закрыть весь доступ к аккаунту:",
    button: "Это не я",
    ignore:
      "Вы получили это письмо, потому что у вас есть аккаунт на {host}. Ссылка действует 7 дней и только один раз.",
    roles: {
      owner: "владелец",
      money: "деньги",
      support: "поддержка",
      editor: "редактор",
      admin: "администратор",
      investor: "инвестор",
    },
    operator: "команда оператора",
    acts: {
      ...officeTexts.ru,
      ...withdrawalActs.ru,
      ...factorTexts.ru,
      "signed-in-elsewhere": {
        title: "Новый вход в аккаунт",
        lead: "В ваш аккаунт Postern вошли из сети, из которой им не пользовались последние 30 дней.",
      },
      "password-changed": {
        title: "Пароль изменён",
        lead: "Для вашего аккаунта Postern задан новый пароль.",
      },
      "email-changed": {
        title: "Адрес почты изменён",
        lead: "Адрес почты вашего аккаунта Postern теперь {email}. Ссылка ниже ещё и вернёт этот адрес.",
      },
      "token-replaced": {
        title: "Токен заменён",
        lead: "Токен вашего аккаунта Postern заменён. Старый больше не работает.",
      },
      "token-added": {
        title: "Создан ограниченный токен",
        lead: "Для вашего аккаунта Postern создан ограниченный токен. С ним программа может делать заказы.",
      },
      "webhook-added": {
        title: "Подключён вебхук",
        lead: "Вебхук вашего аккаунта Postern теперь отправляет события на {webhook}.",
      },
      "telegram-linked": {
        title: "Привязан чат Telegram",
        lead: "К вашему аккаунту Postern привязан чат Telegram. Он получает ваши письма и может делать заказы.",
      },
      "role-granted": {
        title: "У аккаунта новая роль",
        lead: "У вашего аккаунта Postern теперь есть роль: {role}.",
      },
    },
  },
  es: {
    when: "Cuándo: {at}",
    network: "Dirección de red: {network}",
    program: "Programa: {program}",
    times: "Veces desde el correo anterior: {times}",
    life: "Si ya lo sabes, no tienes que hacer nada.",
    link: "Si no, abre este enlace para cerrar todo acceso a tu cuenta:",
    button: "No he sido yo",
    ignore:
      "Recibes este correo porque tienes una cuenta en {host}. El enlace funciona durante 7 días y una sola vez.",
    roles: {
      owner: "propiedad",
      money: "dinero",
      support: "soporte",
      editor: "edición",
      admin: "administración",
      investor: "inversor",
    },
    operator: "el comando del operador",
    acts: {
      ...officeTexts.es,
      ...withdrawalActs.es,
      ...factorTexts.es,
      "signed-in-elsewhere": {
        title: "Nuevo acceso a tu cuenta",
        lead: "Se ha entrado en tu cuenta de Postern desde una red en la que no se había usado en los últimos 30 días.",
      },
      "password-changed": {
        title: "Tu contraseña ha cambiado",
        lead: "Se ha elegido una contraseña nueva para tu cuenta de Postern.",
      },
      "email-changed": {
        title: "Tu dirección de correo ha cambiado",
        lead: "La dirección de correo de tu cuenta de Postern es ahora {email}. El enlace de abajo también recupera esta dirección.",
      },
      "token-replaced": {
        title: "Tu token se ha sustituido",
        lead: "El token de tu cuenta de Postern se ha sustituido. El anterior ya no funciona.",
      },
      "token-added": {
        title: "Se ha creado un token limitado",
        lead: "Se ha creado un token limitado para tu cuenta de Postern. Un programa puede hacer pedidos con él.",
      },
      "webhook-added": {
        title: "Se ha configurado un webhook",
        lead: "Un webhook de tu cuenta de Postern envía ahora los eventos a {webhook}.",
      },
      "telegram-linked": {
        title: "Se ha vinculado un chat de Telegram",
        lead: "Se ha vinculado un chat de Telegram a tu cuenta de Postern. Recibe tus mensajes y puede hacer pedidos.",
      },
      "role-granted": {
        title: "Tu cuenta tiene un rol nuevo",
        lead: "Tu cuenta de Postern tiene ahora este rol: {role}.",
      },
    },
  },
  zh: {
    when: "时间：{at}",
    network: "网络地址：{network}",
    program: "程序：{program}",
    times: "自上一封邮件以来的次数：{times}",
    life: "如果您知道此事，则无需任何操作。",
    link: "如果您不知道，请打开以下链接，终止对您账户的所有访问：",
    button: "这不是我",
    ignore: "您收到此邮件，是因为您在 {host} 有账户。链接在 7 天内有效，只能使用一次。",
    roles: {
      owner: "所有者",
      money: "资金",
      support: "客服",
      editor: "编辑",
      admin: "管理员",
      investor: "投资者",
    },
    operator: "运营命令",
    acts: {
      ...officeTexts.zh,
      ...withdrawalActs.zh,
      ...factorTexts.zh,
      "signed-in-elsewhere": {
        title: "您的账户有新的登录",
        lead: "有人登录了您的 Postern 账户，所用网络在最近 30 天内未曾使用过该账户。",
      },
      "password-changed": {
        title: "您的密码已更改",
        lead: "您的 Postern 账户已设置新密码。",
      },
      "email-changed": {
        title: "您的邮箱地址已更改",
        lead: "您的 Postern 账户的邮箱地址现在是 {email}。下面的链接还会恢复此地址。",
      },
      "token-replaced": { title: "您的令牌已更换", lead: "您的 Postern 账户的令牌已更换，旧令牌不再有效。" },
      "token-added": {
        title: "已创建受限令牌",
        lead: "您的 Postern 账户已创建一个受限令牌，程序可以用它订购。",
      },
      "webhook-added": {
        title: "已设置 Webhook",
        lead: "您的 Postern 账户的 Webhook 现在会将事件发送到 {webhook}。",
      },
      "telegram-linked": {
        title: "已关联 Telegram 聊天",
        lead: "一个 Telegram 聊天已关联到您的 Postern 账户，它会收到您的邮件，并可以订购。",
      },
      "role-granted": { title: "您的账户有新的角色", lead: "您的 Postern 账户现在拥有以下角色：{role}。" },
    },
  },
  ar: {
    when: "الوقت: ⁨{at}⁩",
    network: "عنوان الشبكة: ⁨{network}⁩",
    program: "البرنامج: ⁨{program}⁩",
    times: "عدد المرات منذ الرسالة السابقة: {times}",
    life: "إن كان هذا معروفًا لك فلا يلزم فعل شيء.",
    link: "وإلا يُرجى فتح هذا الرابط لإنهاء كل وصول إلى حسابك:",
    button: "لم يكن هذا أنا",
    ignore: "وصلتك هذه الرسالة لأن لك حسابًا في ⁨{host}⁩. الرابط صالح لمدة 7 أيام ولمرة واحدة.",
    roles: {
      owner: "مالك",
      money: "الأموال",
      support: "الدعم",
      editor: "محرر",
      admin: "مشرف",
      investor: "مستثمر",
    },
    operator: "أمر المشغّل",
    acts: {
      ...officeTexts.ar,
      ...withdrawalActs.ar,
      ...factorTexts.ar,
      "signed-in-elsewhere": {
        title: "تسجيل دخول جديد إلى حسابك",
        lead: "سُجّل الدخول إلى حسابك في Postern من شبكة لم يُستخدم منها الحساب في آخر 30 يومًا.",
      },
      "password-changed": {
        title: "تغيّرت كلمة مرورك",
        lead: "عُيّنت كلمة مرور جديدة لحسابك في Postern.",
      },
      "email-changed": {
        title: "تغيّر عنوان بريدك",
        lead: "عنوان البريد لحسابك في Postern هو الآن ⁨{email}⁩. الرابط أدناه يعيد هذا العنوان أيضًا.",
      },
      "token-replaced": {
        title: "استُبدل رمزك المميز",
        lead: "استُبدل الرمز المميز لحسابك في Postern. الرمز القديم لم يعد يعمل.",
      },
      "token-added": {
        title: "أُنشئ رمز مميز مقيّد",
        lead: "أُنشئ رمز مميز مقيّد لحسابك في Postern. يمكن لبرنامج أن يطلب به.",
      },
      "webhook-added": {
        title: "أُعدّ ويب هوك",
        lead: "الويب هوك في حسابك في Postern يرسل الأحداث الآن إلى ⁨{webhook}⁩.",
      },
      "telegram-linked": {
        title: "رُبطت محادثة تيليجرام",
        lead: "رُبطت محادثة تيليجرام بحسابك في Postern. تصلها رسائلك ويمكنها أن تطلب.",
      },
      "role-granted": { title: "لحسابك دور جديد", lead: "لحسابك في Postern الآن هذا الدور: {role}." },
    },
  },
  hi: {
    when: "कब: {at}",
    network: "नेटवर्क पता: {network}",
    program: "प्रोग्राम: {program}",
    times: "पिछले ईमेल के बाद कितनी बार: {times}",
    life: "अगर आप इसके बारे में जानते हैं, तो कुछ करने की ज़रूरत नहीं है।",
    link: "अगर नहीं, तो अपने खाते की सारी पहुँच बंद करने के लिए यह लिंक खोलें:",
    button: "यह मैंने नहीं किया",
    ignore: "यह ईमेल आपको इसलिए मिला है क्योंकि {host} पर आपका खाता है। लिंक 7 दिन तक और एक ही बार काम करता है।",
    roles: {
      owner: "मालिक",
      money: "पैसे",
      support: "सहायता",
      editor: "संपादक",
      admin: "प्रशासक",
      investor: "निवेशक",
    },
    operator: "संचालक का कमांड",
    acts: {
      ...officeTexts.hi,
      ...withdrawalActs.hi,
      ...factorTexts.hi,
      "signed-in-elsewhere": {
        title: "आपके खाते में नया साइन इन",
        lead: "आपके Postern खाते में ऐसे नेटवर्क से साइन इन हुआ, जहाँ से पिछले 30 दिनों में खाता इस्तेमाल नहीं हुआ था।",
      },
      "password-changed": {
        title: "आपका पासवर्ड बदला गया",
        lead: "आपके Postern खाते का नया पासवर्ड बनाया गया।",
      },
      "email-changed": {
        title: "आपका ईमेल पता बदला गया",
        lead: "आपके Postern खाते का ईमेल पता अब {email} है। नीचे का लिंक यह पता वापस भी लाता है।",
      },
      "token-replaced": {
        title: "आपका टोकन बदला गया",
        lead: "आपके Postern खाते का टोकन बदल दिया गया। पुराना अब काम नहीं करता।",
      },
      "token-added": {
        title: "एक सीमित टोकन बनाया गया",
        lead: "आपके Postern खाते के लिए एक सीमित टोकन बनाया गया। उससे कोई प्रोग्राम ऑर्डर कर सकता है।",
      },
      "webhook-added": {
        title: "एक वेबहुक जोड़ा गया",
        lead: "आपके Postern खाते का वेबहुक अब {webhook} पर इवेंट भेजता है।",
      },
      "telegram-linked": {
        title: "एक टेलीग्राम चैट जोड़ी गई",
        lead: "आपके Postern खाते से एक टेलीग्राम चैट जोड़ी गई। उसे आपके ईमेल मिलते हैं और वह ऑर्डर कर सकती है।",
      },
      "role-granted": {
        title: "आपके खाते को नई भूमिका मिली",
        lead: "आपके Postern खाते की अब यह भूमिका है: {role}।",
      },
    },
  },
};
