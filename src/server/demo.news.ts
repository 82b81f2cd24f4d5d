// The announcements of the demonstration, the newest first.
import type { Language } from "../i18n/languages.ts";
import type { NewsFeed, Writing } from "./news/news.ts";
import { secondsAfter } from "./platform/clock.ts";

interface DemoNews {
  readonly importance: NonNullable<Writing["importance"]>;
  readonly daysAgo: number;
  readonly texts: Readonly<Record<Language, { readonly title: string; readonly lines: readonly string[] }>>;
}

export const news: readonly DemoNews[] = [
  {
    importance: "important",
    daysAgo: 2,
    texts: {
      en: {
        title: "A wrong price of quill.test was refunded",
        lines: [
          "For an hour, addresses at quill.test cost twice their price. The mistake was ours.",
          "The difference was refunded to every balance. You can find it in your statement.",
        ],
      },
      ru: {
        title: "Деньги за\u00a0ошибку в\u00a0цене quill.test возвращены",
        lines: [
          "В\u00a0течение часа адреса quill.test стоили вдвое дороже. Это была наша ошибка.",
          "Разница вернулась на\u00a0баланс каждого аккаунта. Она видна в\u00a0выписке.",
        ],
      },
      es: {
        title: "Reembolso por un precio erróneo de quill.test",
        lines: [
          "Durante una hora, las direcciones de quill.test costaron el doble. Fue un error nuestro.",
          "Hemos devuelto la diferencia al saldo de cada cuenta. La encontrarás en los movimientos.",
        ],
      },
      zh: {
        title: "quill.test 价格有误，差额已退款",
        lines: [
          "quill.test 的地址曾在一小时内按两倍价格出售，这是我们的失误。",
          "差额已退回每个账户的余额，可在资金明细中查看。",
        ],
      },
      ar: {
        title: "استرداد فرق سعر خاطئ للنطاق \u2068quill.test\u2069",
        lines: [
          "خلال ساعة واحدة كانت العناوين في \u2068quill.test\u2069 بضعف سعرها، وكان الخطأ منّا.",
          "أُعيد الفرق إلى رصيد كل حساب، وهو ظاهر في كشف الحساب.",
        ],
      },
      hi: {
        title: "quill.test की गलत कीमत का रिफ़ंड हो गया",
        lines: [
          "एक घंटे तक quill.test के पते दोगुनी कीमत पर बिके। गलती हमारी थी।",
          "अंतर हर खाते के बैलेंस में लौट आया है। वह लेन-देन में दिखता है।",
        ],
      },
    },
  },
  {
    importance: "normal",
    daysAgo: 5,
    texts: {
      en: {
        title: "inbox.test receives letters again",
        lines: [
          "A provider’s fault delayed letters to inbox.test for two hours. The fault is fixed.",
          "Orders without a letter were refunded.",
        ],
      },
      ru: {
        title: "inbox.test снова принимает письма",
        lines: [
          "Из-за сбоя у\u00a0провайдера письма на\u00a0inbox.test задерживались два часа. Сбой устранён.",
          "Деньги за\u00a0заказы без писем возвращены.",
        ],
      },
      es: {
        title: "inbox.test vuelve a recibir mensajes",
        lines: [
          "Un fallo del proveedor retrasó dos horas los mensajes de inbox.test. El fallo está resuelto.",
          "Hemos reembolsado los pedidos sin mensaje.",
        ],
      },
      zh: {
        title: "inbox.test 已恢复收信",
        lines: [
          "服务商的一次故障使发往 inbox.test 的邮件延迟了两小时，故障现已修复。",
          "没有收到邮件的订单均已退款。",
        ],
      },
      ar: {
        title: "عودة استقبال الرسائل في \u2068inbox.test\u2069",
        lines: [
          "تأخرت الرسائل إلى \u2068inbox.test\u2069 ساعتين بسبب عطل لدى مزود الخدمة، وقد أُصلح العطل.",
          "أُعيدت مبالغ الطلبات التي لم تصلها رسالة.",
        ],
      },
      hi: {
        title: "inbox.test पर ईमेल फिर आ रहे हैं",
        lines: [
          "सेवा देने वाली कंपनी की खराबी से inbox.test के ईमेल दो घंटे देर से आए। खराबी ठीक हो गई है।",
          "जिन ऑर्डर पर ईमेल नहीं आया, उनका रिफ़ंड हो गया है।",
        ],
      },
    },
  },
  {
    importance: "normal",
    daysAgo: 9,
    texts: {
      en: {
        title: "A new mail domain: courier.test",
        lines: ["Addresses at courier.test are available for every site."],
      },
      ru: {
        title: "Новый почтовый домен: courier.test",
        lines: ["Адреса courier.test доступны для всех сайтов."],
      },
      es: {
        title: "Nuevo dominio de correo: courier.test",
        lines: ["Las direcciones de courier.test están disponibles para todos los sitios."],
      },
      zh: {
        title: "新增邮箱域名：courier.test",
        lines: ["courier.test 的地址可用于所有网站。"],
      },
      ar: {
        title: "نطاق بريد جديد: \u2068courier.test\u2069",
        lines: ["العناوين في \u2068courier.test\u2069 متاحة لكل المواقع."],
      },
      hi: {
        title: "नया मेल डोमेन: courier.test",
        lines: ["courier.test के पते हर साइट के लिए उपलब्ध हैं।"],
      },
    },
  },
];

/** Adds them with the days before `at`; answers how many. */
export async function publishNews(feed: NewsFeed, at: Date): Promise<number> {
  for (const { importance, daysAgo, texts } of news.toReversed()) {
    const day = secondsAfter(at, -daysAgo * 24 * 3600);
    const translations = Object.entries(texts).map(([language, { title, lines }]) => ({
      language: language as Language,
      title,
      lines: [...lines],
      day: day.toISOString().slice(0, 10),
    }));
    const added = await feed.add({ importance, translations }, "demo", day);
    if (typeof added === "string") throw new Error(`an announcement was refused: ${added}`);
  }
  return news.length;
}
