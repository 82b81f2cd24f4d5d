// Mails about withdrawals: the owner of the account is told what was asked for, and who asked how it ended.
import type { Language } from "../../i18n/languages.ts";

/** To the owner, with the link "this was not me". {amount}: dollars; {about}: the coins and the address. */
export const withdrawalOwnerKinds = ["withdrawal-asked"] as const;

interface Act {
  readonly title: string;
  readonly lead: string;
}

export const withdrawalActs: Record<Language, Record<(typeof withdrawalOwnerKinds)[number], Act>> = {
  en: {
    "withdrawal-asked": {
      title: "A withdrawal was asked for",
      lead: "Someone who is signed in to your Postern account asks to withdraw ${amount} of its earnings: {about}. The link below also cancels it, unless it was sent.",
    },
  },
  ru: {
    "withdrawal-asked": {
      title: "Запрошен вывод",
      lead: "Кто-то, кто вошёл в ваш аккаунт Postern, хочет вывести ${amount} дохода: {about}. Ссылка ниже ещё и отменит заявку, если деньги не отправлены.",
    },
  },
  es: {
    "withdrawal-asked": {
      title: "Se ha pedido una retirada",
      lead: "Alguien que ha entrado en tu cuenta de Postern pide retirar ${amount} de sus ganancias: {about}. El enlace de abajo también la cancela, si no se ha enviado.",
    },
  },
  zh: {
    "withdrawal-asked": {
      title: "有人申请提现",
      lead: "有人登录了您的 Postern 账户，并申请提取收益 ${amount}：{about}。如果尚未转出，下面的链接也会取消该申请。",
    },
  },
  ar: {
    "withdrawal-asked": {
      title: "طُلب سحب",
      lead: "طُلب من داخل حسابك في Postern سحب ⁨${amount}⁩ من الأرباح: ⁨{about}⁩. الرابط أدناه يلغي الطلب أيضًا ما لم يُرسل المبلغ.",
    },
  },
  hi: {
    "withdrawal-asked": {
      title: "निकासी का अनुरोध किया गया",
      lead: "आपके Postern खाते में साइन इन किसी व्यक्ति ने कमाई से ${amount} निकालने का अनुरोध किया है: {about}। अगर राशि भेजी नहीं गई है, तो नीचे का लिंक अनुरोध भी रद्द करता है।",
    },
  },
};

export const withdrawalKinds = ["withdrawal-paid", "withdrawal-refused"] as const;
export type WithdrawalKind = (typeof withdrawalKinds)[number];

type Sentences = Readonly<Record<"subject" | "title" | "lead" | "life" | "ignore", string>>;

/** {amount}: dollars; {coins}, {address}; {transaction} or {reason}. */
export const withdrawalTexts: Record<Language, Record<WithdrawalKind, Sentences>> = {
  en: {
    "withdrawal-paid": {
      subject: "Postern: Your withdrawal was paid",
      title: "Your withdrawal was paid",
      lead: "The shop sent {coins} to {address} for the ${amount} that you asked for.",
      life: "The transaction is {transaction}.",
      ignore: "You received this email because someone asked for a withdrawal in your account at {host}.",
    },
    "withdrawal-refused": {
      subject: "Postern: Your withdrawal was refused",
      title: "Your withdrawal was refused",
      lead: "The shop does not pay the ${amount} ({coins} to {address}) that you asked for: {reason}",
      life: "The sum is back in your earnings. You can ask again.",
      ignore: "You received this email because someone asked for a withdrawal in your account at {host}.",
    },
  },
  ru: {
    "withdrawal-paid": {
      subject: "Postern: Ваш доход выплачен",
      title: "Ваш доход выплачен",
      lead: "Магазин отправил {coins} на адрес {address} по вашей заявке на ${amount}.",
      life: "Транзакция: {transaction}.",
      ignore: "Вы получили это письмо, потому что в вашем аккаунте на {host} подана заявка на вывод.",
    },
    "withdrawal-refused": {
      subject: "Postern: Заявка на вывод отклонена",
      title: "Заявка на вывод отклонена",
      lead: "Магазин не выплатит ${amount} ({coins} на адрес {address}) по вашей заявке: {reason}",
      life: "Сумма снова в вашем доходе. Можно подать новую заявку.",
      ignore: "Вы получили это письмо, потому что в вашем аккаунте на {host} подана заявка на вывод.",
    },
  },
  es: {
    "withdrawal-paid": {
      subject: "Postern: Tu retirada se ha pagado",
      title: "Tu retirada se ha pagado",
      lead: "La tienda ha enviado {coins} a {address} por los ${amount} que pediste.",
      life: "La transacción es {transaction}.",
      ignore: "Recibes este correo porque alguien pidió una retirada en tu cuenta en {host}.",
    },
    "withdrawal-refused": {
      subject: "Postern: Tu retirada se ha rechazado",
      title: "Tu retirada se ha rechazado",
      lead: "La tienda no paga los ${amount} ({coins} a {address}) que pediste: {reason}",
      life: "El importe vuelve a estar en tus ganancias. Puedes pedirlo de nuevo.",
      ignore: "Recibes este correo porque alguien pidió una retirada en tu cuenta en {host}.",
    },
  },
  zh: {
    "withdrawal-paid": {
      subject: "Postern: 您的提现已支付",
      title: "您的提现已支付",
      lead: "商店已按您申请的 ${amount} 向 {address} 转出 {coins}。",
      life: "交易：{transaction}。",
      ignore: "您收到此邮件，是因为有人在您位于 {host} 的账户中申请了提现。",
    },
    "withdrawal-refused": {
      subject: "Postern: 您的提现被拒绝",
      title: "您的提现被拒绝",
      lead: "商店不支付您申请的 ${amount}（{coins}，转至 {address}）：{reason}",
      life: "该金额已退回您的收益。您可以重新申请。",
      ignore: "您收到此邮件，是因为有人在您位于 {host} 的账户中申请了提现。",
    },
  },
  ar: {
    "withdrawal-paid": {
      subject: "Postern: صُرف المبلغ المطلوب سحبه",
      title: "صُرف المبلغ المطلوب سحبه",
      lead: "أُرسل ⁨{coins}⁩ إلى ⁨{address}⁩ مقابل ⁨${amount}⁩ المطلوبة.",
      life: "المعاملة: ⁨{transaction}⁩.",
      ignore: "وصلتك هذه الرسالة لأن سحبًا طُلب في حسابك في ⁨{host}⁩.",
    },
    "withdrawal-refused": {
      subject: "Postern: رُفض طلب السحب",
      title: "رُفض طلب السحب",
      lead: "لن يصرف المتجر ⁨${amount}⁩ (⁨{coins}⁩ إلى ⁨{address}⁩): ⁨{reason}⁩",
      life: "عاد المبلغ إلى أرباحك. يمكن تقديم طلب جديد.",
      ignore: "وصلتك هذه الرسالة لأن سحبًا طُلب في حسابك في ⁨{host}⁩.",
    },
  },
  hi: {
    "withdrawal-paid": {
      subject: "Postern: आपकी निकासी का भुगतान हो गया",
      title: "आपकी निकासी का भुगतान हो गया",
      lead: "आपके माँगे ${amount} के लिए दुकान ने {address} पर {coins} भेजे हैं।",
      life: "लेन-देन आईडी: {transaction}।",
      ignore: "यह ईमेल आपको इसलिए मिला क्योंकि {host} पर आपके खाते में निकासी का अनुरोध किया गया।",
    },
    "withdrawal-refused": {
      subject: "Postern: आपकी निकासी अस्वीकार हुई",
      title: "आपकी निकासी अस्वीकार हुई",
      lead: "दुकान आपके माँगे ${amount} ({address} पर {coins}) का भुगतान नहीं करती: {reason}",
      life: "राशि आपकी कमाई में वापस आ गई है। आप फिर से अनुरोध कर सकते हैं।",
      ignore: "यह ईमेल आपको इसलिए मिला क्योंकि {host} पर आपके खाते में निकासी का अनुरोध किया गया।",
    },
  },
};
