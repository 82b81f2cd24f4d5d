import type { Language } from "../../i18n/languages.ts";
import { ownerKinds } from "./mailer.owner.texts.ts";
import { withdrawalKinds } from "./mailer.withdrawal.texts.ts";

/** The code follows `lead`, and is never in the subject, which locked screens show. */
export interface Sentences {
  readonly subject: string;
  readonly title: string;
  /** {webhook}, {email}, {amount}, {balance}, {threshold}. */
  readonly lead: string;
  /** The life of the code; {minutes}. Without a code: what to do now. */
  readonly life: string;
  /** For a reader who did not ask for the mail; {host}. */
  readonly ignore: string;
}

/** They live for minutes, so they go before other mail. */
export const codeKinds = ["activation-code", "reset-code", "old-email-code", "new-email-code"] as const;
export const isCode = (kind: string): boolean => codeKinds.some((code) => code === kind);
const askedKinds = [...codeKinds, "account-closed", "answer", "balance-low", "webhook-disabled"] as const;

export const noticeKinds = [...askedKinds, ...withdrawalKinds, "daily-summary", ...ownerKinds] as const;
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
    "old-email-code": {
      subject: "Your Postern code to change the email address",
      title: "Change the email address",
      lead: "Someone who is signed in wants to change the email address of your Postern account to {email}. If it is you, enter this code on the page:",
      life: "The code is valid for {minutes} minutes and works only together with the code that we sent to the new address. Do not share it with anyone.",
      ignore:
        "If you did not request this at {host}, someone is signed in to your account: set a new password. Nothing changes without the code.",
    },
    "new-email-code": {
      subject: "Your Postern code for the new email address",
      title: "Confirm the new email address",
      lead: "Enter this code to use this address for your Postern account:",
      life: "The code is valid for {minutes} minutes and works only together with the code that we sent to the old address.",
      ignore: "If you did not request this at {host}, ignore this email. Nothing happens without the code.",
    },
    "account-closed": {
      subject: "Your Postern account was closed",
      title: "Your account was closed",
      lead: "Your Postern account was closed by someone who was signed in to it. Nobody can sign in to it any more. Money that was given up with it: ${amount}.",
      life: "Orders, payments and entries of the books stay without your name and address. You can sign up with this address again at any time.",
      ignore: "If you did not do this at {host}, contact support there.",
    },
    answer: {
      subject: "The shop answered your question",
      title: "The answer to your question",
      lead: "The shop answered your question about {about}:\n\n{answer}",
      life: "Both stand on the page of the order or payment in your account. You can ask again there.",
      ignore: "You received this email because someone asked in your account at {host}.",
    },
    "balance-low": {
      subject: "Your Postern balance is low",
      title: "Your balance is low",
      lead: "The balance of your Postern account is ${balance}, which is below ${threshold}, as you asked to be told.",
      life: "Top up at {host} before your programs run out of money. You can change or turn off this warning there, on the page “Statement”.",
      ignore:
        "You received this email because the account with this address at {host} asked for it. It is sent once until the balance was above again.",
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
        "Если вы не регистрировались на {host}, просто проигнорируйте это письмо: без кода ничего не произойдёт.",
    },
    "reset-code": {
      subject: "Код для нового пароля Postern",
      title: "Задайте новый пароль",
      lead: "Введите этот код, чтобы задать новый пароль для аккаунта Postern:",
      life: "Код и ссылка действуют {minutes} минут. Никому их не сообщайте.",
      ignore:
        "Если вы не запрашивали это на {host}, просто проигнорируйте это письмо: пароль останется прежним.",
    },
    "old-email-code": {
      subject: "Код для смены адреса почты Postern",
      title: "Смена адреса почты",
      lead: "Кто-то, кто вошёл в ваш аккаунт Postern, хочет сменить адрес почты на {email}. Если это вы, введите на странице этот код:",
      life: "Код действует {minutes} минут и только вместе с кодом, который мы отправили на новый адрес. Никому его не сообщайте.",
      ignore:
        "Если вы не запрашивали это на {host}, в ваш аккаунт вошёл кто-то другой: задайте новый пароль. Без кода ничего не изменится.",
    },
    "new-email-code": {
      subject: "Код для нового адреса почты Postern",
      title: "Подтвердите новый адрес почты",
      lead: "Введите этот код, чтобы аккаунт Postern получил этот адрес:",
      life: "Код действует {minutes} минут и только вместе с кодом, который мы отправили на прежний адрес.",
      ignore:
        "Если вы не запрашивали это на {host}, просто проигнорируйте это письмо: без кода ничего не произойдёт.",
    },
    "account-closed": {
      subject: "Ваш аккаунт Postern закрыт",
      title: "Аккаунт закрыт",
      lead: "Ваш аккаунт Postern закрыл тот, кто в него вошёл. Войти в него больше нельзя. Деньги, от которых отказались при закрытии: ${amount}.",
      life: "Заказы, платежи и записи учёта остаются без вашего имени и адреса. Зарегистрироваться с этим адресом можно снова в любое время.",
      ignore: "Если на {host} это сделали не вы, обратитесь там в поддержку.",
    },
    answer: {
      subject: "Магазин ответил на ваш вопрос",
      title: "Ответ на ваш вопрос",
      lead: "Магазин ответил на ваш вопрос о {about}:\n\n{answer}",
      life: "Вопрос и ответ есть на странице заказа или платежа в вашем аккаунте. Там можно спросить ещё раз.",
      ignore: "Вы получили это письмо, потому что вопрос задан из вашего аккаунта на {host}.",
    },
    "balance-low": {
      subject: "Баланс Postern на исходе",
      title: "Баланс на исходе",
      lead: "На балансе вашего аккаунта Postern ${balance} — меньше, чем ${threshold}. Вы просили об этом предупредить.",
      life: "Пополните баланс на {host}, пока у программ не кончились деньги. Изменить или отключить предупреждение можно там же, на странице «Выписка».",
      ignore:
        "Вы получили это письмо, потому что его попросил аккаунт с этим адресом на {host}. Оно не приходит снова, пока баланс не станет выше.",
    },
    "webhook-disabled": {
      subject: "Ваш вебхук Postern отключён",
      title: "Вебхук отключён",
      lead: "Мы больше ничего не отправляем на ваш вебхук {webhook}: 3 дня он не принимал события или ответил, что они ему больше не нужны.",
      life: "Исправьте его и включите снова на странице «Для программ» своего аккаунта. События, которые произойдут за это время, мы не отправим.",
      ignore: "Вы получили это письмо, потому что вебхук принадлежит вашему аккаунту на {host}.",
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
    "old-email-code": {
      subject: "Tu código de Postern para cambiar el correo",
      title: "Cambiar la dirección de correo",
      lead: "Alguien con la sesión iniciada quiere cambiar la dirección de correo de tu cuenta de Postern a {email}. Si eres tú, escribe este código en la página:",
      life: "El código es válido durante {minutes} minutos y solo funciona junto con el que enviamos a la dirección nueva. No lo compartas con nadie.",
      ignore:
        "Si no lo has pedido en {host}, alguien ha entrado en tu cuenta: elige una contraseña nueva. Sin el código no cambia nada.",
    },
    "new-email-code": {
      subject: "Tu código de Postern para la dirección nueva",
      title: "Confirma la dirección nueva",
      lead: "Escribe este código para usar esta dirección en tu cuenta de Postern:",
      life: "El código es válido durante {minutes} minutos y solo funciona junto con el que enviamos a la dirección anterior.",
      ignore: "Si no lo has pedido en {host}, ignora este correo: sin el código no ocurre nada.",
    },
    "account-closed": {
      subject: "Tu cuenta de Postern se ha cerrado",
      title: "Tu cuenta se ha cerrado",
      lead: "Alguien con la sesión iniciada ha cerrado tu cuenta de Postern. Ya nadie puede entrar en ella. Dinero al que se ha renunciado: ${amount}.",
      life: "Los pedidos, los pagos y los apuntes contables se conservan sin tu nombre ni tu dirección. Puedes registrarte otra vez con esta dirección cuando quieras.",
      ignore: "Si no lo has hecho tú en {host}, escribe allí a soporte.",
    },
    answer: {
      subject: "La tienda ha respondido a tu pregunta",
      title: "Respuesta a tu pregunta",
      lead: "La tienda ha respondido a tu pregunta sobre {about}:\n\n{answer}",
      life: "La pregunta y la respuesta están en la página del pedido o del pago en tu cuenta. Allí puedes volver a preguntar.",
      ignore: "Recibes este correo porque alguien preguntó desde tu cuenta en {host}.",
    },
    "balance-low": {
      subject: "Tu saldo de Postern es bajo",
      title: "Tu saldo es bajo",
      lead: "El saldo de tu cuenta de Postern es de ${balance}, por debajo de ${threshold}: pediste que te avisáramos.",
      life: "Recarga en {host} antes de que tus programas se queden sin dinero. Allí, en la página «Movimientos», puedes cambiar o desactivar este aviso.",
      ignore:
        "Recibes este correo porque lo pidió la cuenta con esta dirección en {host}. No se repite hasta que el saldo haya vuelto a subir.",
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
    "old-email-code": {
      subject: "用于更改 Postern 邮箱地址的验证码",
      title: "更改邮箱地址",
      lead: "有人已登录您的 Postern 账户，想将邮箱地址改为 {email}。如果是您本人，请在页面上输入以下验证码：",
      life: "验证码在 {minutes} 分钟内有效，并且须与发送到新地址的验证码一起使用。请勿告诉任何人。",
      ignore:
        "如果您没有在 {host} 提出此请求，说明有人登录了您的账户：请设置新密码。没有验证码，什么也不会改变。",
    },
    "new-email-code": {
      subject: "用于确认 Postern 新邮箱地址的验证码",
      title: "确认新的邮箱地址",
      lead: "请输入以下验证码，将此地址用于您的 Postern 账户：",
      life: "验证码在 {minutes} 分钟内有效，并且须与发送到旧地址的验证码一起使用。",
      ignore: "如果您没有在 {host} 提出此请求，请忽略此邮件：没有验证码，什么也不会发生。",
    },
    "account-closed": {
      subject: "您的 Postern 账户已关闭",
      title: "您的账户已关闭",
      lead: "您的 Postern 账户已由登录该账户的人关闭，任何人都无法再登录。随之放弃的金额：${amount}。",
      life: "订单、付款和账目会保留，但不含您的姓名和地址。您可以随时用此地址重新注册。",
      ignore: "如果在 {host} 执行此操作的不是您，请联系那里的客服。",
    },
    answer: {
      subject: "商店已回复您的问题",
      title: "您的问题已有回复",
      lead: "商店已回复您关于 {about} 的问题：\n\n{answer}",
      life: "问题和回复都显示在您账户中该订单或付款的页面上，您可以在那里继续提问。",
      ignore: "您收到此邮件，是因为有人在您于 {host} 的账户中提了问题。",
    },
    "balance-low": {
      subject: "您的 Postern 余额不足",
      title: "您的余额不足",
      lead: "您的 Postern 账户余额为 ${balance}，低于您设置的提醒金额 ${threshold}。",
      life: "请在 {host} 充值，以免您的程序用完余额。您可以在那里的“资金明细”页面更改或关闭此提醒。",
      ignore: "您收到此邮件，是因为 {host} 上使用此地址的账户要求提醒。余额回升之前不会再次发送。",
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
    "old-email-code": {
      subject: "رمز تغيير عنوان البريد في Postern",
      title: "تغيير عنوان البريد",
      lead: "شخص مسجل الدخول إلى حسابك في Postern يريد تغيير عنوان البريد إلى ⁨{email}⁩. إن كان هذا الطلب منك فيُرجى إدخال هذا الرمز في الصفحة:",
      life: "الرمز صالح لمدة {minutes} دقيقة، ولا يعمل إلا مع الرمز المرسل إلى العنوان الجديد. يُرجى عدم مشاركته مع أي شخص.",
      ignore:
        "إن لم يصدر هذا الطلب عنك في ⁨{host}⁩ فقد دخل شخص آخر إلى حسابك: يُرجى تعيين كلمة مرور جديدة. لن يتغير شيء من دون الرمز.",
    },
    "new-email-code": {
      subject: "رمز عنوان البريد الجديد في Postern",
      title: "تأكيد عنوان البريد الجديد",
      lead: "لاستخدام هذا العنوان لحسابك في Postern يُرجى إدخال هذا الرمز:",
      life: "الرمز صالح لمدة {minutes} دقيقة، ولا يعمل إلا مع الرمز المرسل إلى العنوان القديم.",
      ignore: "إن لم يصدر هذا الطلب عنك في ⁨{host}⁩ فيمكن تجاهل هذه الرسالة: لن يحدث شيء من دون الرمز.",
    },
    "account-closed": {
      subject: "أُغلق حسابك في Postern",
      title: "أُغلق حسابك",
      lead: "أُغلق حسابك في Postern من جلسة كانت مسجلة الدخول إليه. لا يمكن لأحد الدخول إليه بعد الآن. المبلغ الذي جرى التنازل عنه: ⁨${amount}⁩.",
      life: "تبقى الطلبات والدفعات وقيود الدفاتر من دون اسمك وعنوانك. يمكن التسجيل بهذا العنوان من جديد في أي وقت.",
      ignore: "إن لم يصدر هذا عنك في ⁨{host}⁩ فيُرجى التواصل مع الدعم هناك.",
    },
    answer: {
      subject: "أجاب المتجر عن سؤالك",
      title: "الإجابة عن سؤالك",
      lead: "أجاب المتجر عن سؤالك بشأن ⁨{about}⁩:\n\n{answer}",
      life: "السؤال والإجابة في صفحة الطلب أو الدفعة في حسابك، ويمكن السؤال هناك مرة أخرى.",
      ignore: "وصلتك هذه الرسالة لأن سؤالًا طُرح من حسابك في ⁨{host}⁩.",
    },
    "balance-low": {
      subject: "رصيدك في Postern منخفض",
      title: "رصيدك منخفض",
      lead: "رصيد حسابك في Postern هو ⁨${balance}⁩، وهو أقل من ⁨${threshold}⁩، وقد طُلب تنبيهك عند ذلك.",
      life: "يمكن شحن الرصيد في ⁨{host}⁩ قبل أن ينفد مال برامجك. ويمكن تغيير هذا التنبيه أو إيقافه هناك في صفحة «كشف الحساب».",
      ignore:
        "وصلتك هذه الرسالة لأن الحساب المسجل بهذا العنوان في ⁨{host}⁩ طلبها. لا تُرسل مجددًا حتى يرتفع الرصيد من جديد.",
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
    "old-email-code": {
      subject: "Postern का ईमेल पता बदलने का आपका कोड",
      title: "ईमेल पता बदलें",
      lead: "आपके Postern खाते में साइन इन किया हुआ कोई व्यक्ति ईमेल पता बदलकर {email} करना चाहता है। अगर यह आप हैं, तो पेज पर यह कोड दर्ज करें:",
      life: "यह कोड {minutes} मिनट तक मान्य है और सिर्फ़ उस कोड के साथ काम करता है जो हमने नए पते पर भेजा है। इसे किसी के साथ साझा न करें।",
      ignore:
        "अगर आपने {host} पर यह अनुरोध नहीं किया है, तो आपके खाते में किसी और ने साइन इन किया है: नया पासवर्ड बनाएँ। कोड के बिना कुछ नहीं बदलेगा।",
    },
    "new-email-code": {
      subject: "Postern के नए ईमेल पते का आपका कोड",
      title: "नए ईमेल पते की पुष्टि करें",
      lead: "अपने Postern खाते के लिए यह पता इस्तेमाल करने के लिए यह कोड दर्ज करें:",
      life: "यह कोड {minutes} मिनट तक मान्य है और सिर्फ़ उस कोड के साथ काम करता है जो हमने पुराने पते पर भेजा है।",
      ignore: "अगर आपने {host} पर यह अनुरोध नहीं किया है, तो इस ईमेल को अनदेखा करें: कोड के बिना कुछ नहीं होगा।",
    },
    "account-closed": {
      subject: "आपका Postern खाता बंद कर दिया गया",
      title: "आपका खाता बंद कर दिया गया",
      lead: "आपका Postern खाता उस व्यक्ति ने बंद किया जिसने उसमें साइन इन किया था। अब उसमें कोई साइन इन नहीं कर सकता। छोड़ी गई रकम: ${amount}।",
      life: "ऑर्डर, भुगतान और बही की प्रविष्टियाँ आपके नाम और पते के बिना रहती हैं। इस पते से आप कभी भी फिर रजिस्टर कर सकते हैं।",
      ignore: "अगर {host} पर यह आपने नहीं किया है, तो वहाँ सहायता से संपर्क करें।",
    },
    answer: {
      subject: "दुकान ने आपके सवाल का जवाब दिया",
      title: "आपके सवाल का जवाब",
      lead: "दुकान ने {about} के बारे में आपके सवाल का जवाब दिया:\n\n{answer}",
      life: "सवाल और जवाब आपके खाते में उस ऑर्डर या भुगतान के पेज पर हैं। वहाँ फिर से पूछा जा सकता है।",
      ignore: "यह ईमेल आपको इसलिए मिला है क्योंकि {host} पर आपके खाते से सवाल पूछा गया था।",
    },
    "balance-low": {
      subject: "आपका Postern बैलेंस कम है",
      title: "आपका बैलेंस कम है",
      lead: "आपके Postern खाते का बैलेंस ${balance} है, जो ${threshold} से कम है। आपने इसकी सूचना माँगी थी।",
      life: "{host} पर टॉप अप करें, ताकि आपके प्रोग्रामों के पैसे खत्म न हों। यह चेतावनी आप वहीं “लेन-देन” पेज पर बदल या बंद कर सकते हैं।",
      ignore:
        "यह ईमेल आपको इसलिए मिला क्योंकि {host} पर इस पते वाले खाते ने इसे माँगा था। जब तक बैलेंस फिर ऊपर नहीं जाता, यह दोबारा नहीं भेजा जाता।",
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
