// The stories of the demonstration. scripts/stories.mjs draws their pictures.
import { readFile } from "node:fs/promises";
import type { gradients } from "../contract/stories.ts";
import type { Language } from "../i18n/languages.ts";
import type { Stories, Translation } from "./stories/stories.ts";

type Words = readonly [title: string, text: string];

interface DemoStory {
  /** Names a file in stories/demo. */
  readonly picture: "door" | "castle" | "partners";
  readonly background: (typeof gradients)[number];
  /** The button's path behind the language. */
  readonly page: string;
  readonly texts: Readonly<Record<Language, { title: string; slides: readonly Words[]; button: string }>>;
}

export const stories: readonly DemoStory[] = [
  {
    picture: "door",
    background: "turquoise",
    page: "/dashboard",
    texts: {
      en: {
        title: "How it works",
        slides: [
          ["An address for one sign-up", "Choose a site and a mail type: the address is yours at once."],
          [
            "The letter arrives here",
            "The code appears next to the order, and one tap opens the whole letter.",
          ],
          ["No letter, no charge", "If nothing arrives in time, you are refunded."],
        ],
        button: "Order an address",
      },
      ru: {
        title: "Как это работает",
        slides: [
          ["Адрес для одной регистрации", "Выберите сайт и тип почты: адрес сразу ваш."],
          ["Письмо приходит сюда", "Код виден рядом с заказом, а всё письмо открывается одним нажатием."],
          [
            "Нет письма — нет оплаты",
            "Если за отведённое время ничего не пришло, деньги возвращаются на баланс.",
          ],
        ],
        button: "Заказать адрес",
      },
      es: {
        title: "Cómo funciona",
        slides: [
          [
            "Una dirección para un registro",
            "Elige un sitio y un tipo de correo: la dirección es tuya al instante.",
          ],
          [
            "El mensaje llega aquí",
            "El código aparece junto al pedido y el mensaje completo se abre con un toque.",
          ],
          [
            "Si no llega el mensaje, no pagas",
            "Si no llega nada a tiempo, te devolvemos el dinero al saldo.",
          ],
        ],
        button: "Pedir una dirección",
      },
      zh: {
        title: "使用方法",
        slides: [
          ["一次注册，一个地址", "选择网站和邮箱类型，地址立即归您使用。"],
          ["邮件送到这里", "验证码显示在订单旁边，点一下即可查看整封邮件。"],
          ["没有邮件，不收费用", "如果到时没有收到邮件，款项会退回您的余额。"],
        ],
        button: "订购地址",
      },
      ar: {
        title: "كيف يعمل",
        slides: [
          ["عنوان لتسجيل واحد", "بعد اختيار موقع ونوع البريد يصبح العنوان لك فورًا."],
          ["الرسالة تصل إلى هنا", "يظهر الرمز بجانب الطلب، وتُفتح الرسالة كاملة بضغطة واحدة."],
          ["لا رسالة، لا دفع", "إن لم يصل شيء في الوقت المحدد، يُسترد المبلغ إلى رصيدك."],
        ],
        button: "طلب عنوان",
      },
      hi: {
        title: "यह कैसे काम करता है",
        slides: [
          ["एक रजिस्ट्रेशन के लिए एक पता", "साइट और मेल टाइप चुनें: पता तुरंत आपका है।"],
          ["ईमेल यहीं आता है", "कोड ऑर्डर के पास दिखता है और पूरा ईमेल एक टैप में खुलता है।"],
          ["ईमेल नहीं, तो पैसे नहीं", "समय पर कुछ न आए, तो कीमत आपके बैलेंस में लौट आती है।"],
        ],
        button: "पता ऑर्डर करें",
      },
    },
  },
  {
    picture: "castle",
    background: "blue",
    page: "/docs",
    texts: {
      en: {
        title: "Try it for free",
        slides: [
          ["A sandbox for your program", "Order an address for the site sandbox-ok: it is free."],
          ["A letter in two seconds", "It contains a code, like a real one, so that you can try every step."],
        ],
        button: "Open the documentation",
      },
      ru: {
        title: "Попробуйте бесплатно",
        slides: [
          ["Песочница для вашей программы", "Закажите адрес для сайта sandbox-ok: это бесплатно."],
          ["Письмо через две секунды", "В нём есть код, как в настоящем: можно проверить каждый шаг."],
        ],
        button: "Открыть документацию",
      },
      es: {
        title: "Pruébalo gratis",
        slides: [
          [
            "Un entorno de pruebas para tu programa",
            "Pide una dirección para el sitio sandbox-ok: es gratis.",
          ],
          ["Un mensaje en dos segundos", "Lleva un código, como uno real, para que pruebes cada paso."],
        ],
        button: "Abrir la documentación",
      },
      zh: {
        title: "免费试用",
        slides: [
          ["供程序使用的沙盒", "为网站 sandbox-ok 订购地址，完全免费。"],
          ["两秒后收到邮件", "邮件里有验证码，和真实邮件一样，每一步都可以试。"],
        ],
        button: "查看文档",
      },
      ar: {
        title: "تجربة مجانية",
        slides: [
          ["بيئة تجربة لبرنامجك", "طلب عنوان للموقع sandbox-ok مجاني تمامًا."],
          ["رسالة خلال ثانيتين", "فيها رمز كما في الرسائل الحقيقية، لتجربة كل خطوة."],
        ],
        button: "فتح التوثيق",
      },
      hi: {
        title: "मुफ़्त में आज़माएँ",
        slides: [
          ["आपके प्रोग्राम के लिए सैंडबॉक्स", "साइट sandbox-ok के लिए पता ऑर्डर करें: यह मुफ़्त है।"],
          ["दो सेकंड में ईमेल", "उसमें असली ईमेल की तरह कोड होता है, ताकि आप हर कदम आज़मा सकें।"],
        ],
        button: "दस्तावेज़ खोलें",
      },
    },
  },
  {
    picture: "partners",
    background: "purple",
    page: "/dashboard",
    texts: {
      en: {
        title: "Earn 5% as a partner",
        slides: [
          ["Share your link", "Earn 5% of everything spent by people who join through it."],
          ["Or build a program", "You earn 5% of orders with its Soft ID too."],
        ],
        button: "Open partner mode",
      },
      ru: {
        title: "Зарабатывайте 5 % как партнёр",
        slides: [
          ["Поделитесь ссылкой", "Вы получаете 5 % от трат каждого, кто придёт по ней."],
          ["Или напишите программу", "Заказы с её Soft ID тоже приносят вам 5 %."],
        ],
        button: "Открыть режим партнёра",
      },
      es: {
        title: "Gana un 5 % como socio",
        slides: [
          ["Comparte tu enlace", "Recibes el 5 % de lo que gasten quienes lleguen por él."],
          ["O crea un programa", "Los pedidos con su Soft ID también te dan un 5 %."],
        ],
        button: "Abrir el modo socio",
      },
      zh: {
        title: "成为合作伙伴，赚取 5%",
        slides: [
          ["分享您的链接", "通过您的链接注册的每位用户，其消费的 5% 归您。"],
          ["或者开发程序", "带有其 Soft ID 的订单同样为您带来 5%。"],
        ],
        button: "打开合作伙伴模式",
      },
      ar: {
        title: "ربح 5% مع برنامج الشركاء",
        slides: [
          ["مشاركة الرابط", "تحصل على 5% مما ينفقه كل من يسجّل عبره."],
          ["أو إنشاء برنامج", "الطلبات التي تحمل Soft ID الخاص به تمنحك 5% أيضًا."],
        ],
        button: "فتح وضع الشريك",
      },
      hi: {
        title: "पार्टनर बनकर 5% कमाएँ",
        slides: [
          ["अपना लिंक साझा करें", "उससे रजिस्टर करने वाले हर व्यक्ति के खर्च का 5% आपको मिलता है।"],
          ["या प्रोग्राम बनाएँ", "उसके Soft ID वाले ऑर्डर भी आपको 5% देते हैं।"],
        ],
        button: "पार्टनर मोड खोलें",
      },
    },
  },
];

const by = "demo";

export async function publishStories({ add, write, pictures }: Stories, at: Date): Promise<number> {
  const hand = { by, at };
  for (const story of stories.toReversed()) {
    const bytes = await readFile(new URL(`stories/demo/${story.picture}.webp`, import.meta.url));
    const picture = await pictures.bring(fileOf(bytes), hand);
    if (typeof picture === "string") throw new Error(`the picture ${story.picture} was refused`);
    const [first, ...rest] = translationsOf(story, picture.name);
    if (!first) throw new Error(`the story ${story.picture} says nothing`);
    const id = await add({ translation: first }, hand);
    if (typeof id === "string") throw new Error(`the story ${story.picture} was refused: ${id}`);
    for (const translation of rest) await write(id, { translation }, hand);
  }
  return stories.length;
}

async function* fileOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

function translationsOf({ background, page, texts }: DemoStory, picture: string): Translation[] {
  return Object.entries(texts).map(([language, { title, slides, button }]) => ({
    language: language as Language,
    title,
    description: "",
    picture,
    buttonText: button,
    link: `/${language}${page}`,
    slides: slides.map(([head, text], number) => ({
      title: head,
      description: "",
      text,
      picture: number === 0 ? picture : "",
      background,
    })),
  }));
}
