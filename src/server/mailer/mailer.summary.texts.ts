// The sentences around the daily summary; its rows have the words of the office.
import type { Language } from "../../i18n/languages.ts";
import type { Sentences } from "./mailer.texts.ts";

/** {day} in the subject and in `lead`. */
export const summaryTexts: Record<Language, Sentences> = {
  en: {
    subject: "Postern: your shop on {day}",
    title: "The overview of the shop",
    lead: "Your shop on {day} (UTC), beside the day before:",
    life: "The overview of the office has all figures and leads to each decision.",
    ignore:
      "You received this email because your account at {host} works in the back office. The overview there has a switch that turns it off.",
  },
  ru: {
    subject: "Postern: магазин за {day}",
    title: "Обзор магазина",
    lead: "Ваш магазин за {day} (UTC) и за день до этого:",
    life: "В обзоре управления есть все показатели и переходы к каждому решению.",
    ignore:
      "Вы получили это письмо, потому что у вашего аккаунта на {host} есть доступ к управлению. Его можно отключить там же, на странице обзора.",
  },
  es: {
    subject: "Postern: la tienda el {day}",
    title: "El resumen de la tienda",
    lead: "Tu tienda el {day} (UTC), junto al día anterior:",
    life: "La vista general de la administración tiene todas las cifras y lleva a cada decisión.",
    ignore:
      "Recibes este mensaje porque tu cuenta de {host} trabaja en la administración. Allí, en la vista general, se puede desactivar.",
  },
  zh: {
    subject: "Postern：{day} 的商店",
    title: "商店概览",
    lead: "您的商店 {day}（UTC）的数据，与前一天对比：",
    life: "管理后台的概览有全部数据，并可进入每项待处理的事项。",
    ignore: "您收到此邮件，是因为您在 {host} 的账户可使用管理后台。可在那里的概览页面关闭。",
  },
  ar: {
    subject: "Postern: المتجر في ⁨{day}⁩",
    title: "نظرة عامة على المتجر",
    lead: "المتجر في ⁨{day}⁩ (UTC) مقارنة باليوم السابق:",
    life: "في النظرة العامة للإدارة جميع الأرقام وروابط كل قرار.",
    ignore: "وصلت هذه الرسالة لأن الحساب في ⁨{host}⁩ يعمل في الإدارة. يمكن إيقافها من صفحة النظرة العامة هناك.",
  },
  hi: {
    subject: "Postern: {day} को दुकान",
    title: "दुकान की झलक",
    lead: "{day} (UTC) को आपकी दुकान, उससे पिछले दिन के साथ:",
    life: "प्रबंधन की झलक में सभी आँकड़े और हर फ़ैसले का रास्ता है।",
    ignore:
      "यह ईमेल इसलिए आया क्योंकि {host} पर आपका खाता प्रबंधन में काम करता है। वहाँ झलक के पेज पर इसे बंद किया जा सकता है।",
  },
};
