// How each language is written, as far as a machine can tell: docs/languages.md has the rules in words.
// catalogues.test.ts holds the catalogues, the mails and the stories of the demonstration to them.
import type { Language } from "../../src/i18n/languages.ts";

interface Rule {
  /** What a text may not hold. */
  readonly not: RegExp;
  /** What it says instead. */
  readonly but: string;
  /** The keys that the rule is about; every key where this is missing. */
  readonly of?: RegExp;
  /** Keys that may break it: the specification words them, or the word means something else there. */
  readonly unless?: readonly string[];
}

/** Any of these as a whole word; each may be a pattern. */
const words = (...any: string[]): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{M}])(?:${any.join("|")})(?![\\p{L}\\p{M}])`, "iu");

/** Any of these at the beginning of a word. */
const stems = (...any: string[]): RegExp => new RegExp(`(?<![\\p{L}\\p{M}])(?:${any.join("|")})`, "iu");

/** Texts about exchange rates: a coin is accepted, it is the addresses that are sold. */
const ofRates = /^office\.rates?\./;

/** The words on buttons, tabs and columns, by the place of the key. */
const ofLabels =
  /^(?:office\.(?:column|tab|section|choice|group|kind)|nav|ui)\.\w+$|(?<!refusal)\.(?:do|title|button|save|send|copy)$/;

const nbsp = "\\u00a0\\u202f";

/** Of every language. */
const ofAll: readonly Rule[] = [
  { not: /\.\.\./, but: "…" },
  { not: /[\w\p{L}]"|"[\w\p{L}]/u, but: "the quotes of the language" },
  { not: /\p{L}'|'\p{L}/u, but: "’" },
  { not: /^\s|\s$| {2}/, but: "one space, and none at the ends" },
  { not: /[\p{Nd}--[0-9]]/v, but: "digits 0 to 9" },
  {
    not: /[^.…\s]\.$/u,
    but: "no full stop on a button, a tab or a heading",
    of: ofLabels,
    unless: ["office.column.id"],
  },
];

const ofLanguage: Record<Language, readonly Rule[]> = {
  en: [
    { not: stems("e-mails?"), but: "email" },
    { not: words("bring", "brings", "brought"), but: "upload" },
    { not: words("reception", "greets"), but: "mail receiver; hostname in the greeting" },
    { not: words("sold", "sells?", "sale"), but: "accepted", of: ofRates },
    {
      not: words("anew", "somebody", "whoever", "forgotten"),
      but: "again; someone; everyone who; deleted",
    },
    {
      not: words("by (?:it|them)sel(?:f|ves)", "stands in", "looks at", "looked at", "(?:is|are) answered"),
      but: "automatically; is in; reviews; returns",
    },
    { not: words("at the latest", "or more agree", "no rehearsal"), but: "at least / at most; a live call" },
    { not: words("promises?"), but: "check failed", of: /^office\./ },
    { not: words("is decided"), but: "processed" },
    { not: words("the money is back", "the price goes back"), but: "refund" },
    { not: words("log(?:s|ged)? (?:in|out)", "he", "his", "him"), but: "sign in, sign out; they" },
    { not: words("register(?:s|ed)? (?:by|at|with)"), but: "sign up" },
    {
      not: /^The [a-z_]+ (?:is|are|has|have|needs?) (?:at most |a |an |\d)/,
      but: "`x` must be …",
      of: /^docs\.refusal\./,
    },
    { not: /№/, but: "#", unless: ["pay.failed", "pay.status.none", "pay.title"] },
    { not: /«|»/, but: "“ ”" },
  ],
  ru: [
    {
      not: stems("принести", "принес[её]н", "принесла", "почтмейстер", "картинк"),
      but: "загрузить; постмастер; изображение",
    },
    {
      not: stems("отныне", "забудет", "стоит рядом", "смотрит на", "ни к одному", "сыграть плательщика"),
      but: "без этих оборотов",
    },
    { not: words("решен[аоы]?", "решён"), but: "принято решение", of: /^office\.(?:batch|payment)\./ },
    { not: stems("прода[её]?тся", "прода[её]ются", "продаж"), but: "принимается", of: ofRates },
    { not: words("критическ\\p{L}*"), but: "срочная" },
    {
      not: stems("здоровается", "цена верн[её]тся", "цена возвращается"),
      but: "имя в приветствии; деньги вернутся",
    },
    { not: words("я \\p{L}+л"), but: "without the gender of whoever reads" },
    {
      not: words(
        "еще",
        "ее",
        "все же",
        "истек",
        "(?:отменен|подтвержден|изменен|отключен|удален)",
        "учетн\\p{L}*",
      ),
      but: "ё",
    },
    { not: / —/, but: "a non-breaking space before a dash" },
    { not: / – /, but: "—" },
    { not: /\d \$/, but: "a non-breaking space before $" },
    { not: new RegExp(`[\\d}][^${nbsp}]?%`, "u"), but: "a non-breaking space before %" },
    {
      not: /(?<![\p{L}\p{N}_-])(?:а|в|во|и|из|к|ко|на|не|ни|о|об|от|по|с|со|у|за|до) /iu,
      but: "a non-breaking space after a short word",
    },
    {
      not: /-(?:то|нибудь|либо)(?!\p{L})/u,
      but: "U+2060 after the hyphen, where a line would break",
      // Not of mails, which have no key: a program that does not know the sign shows a box.
      of: /./,
    },
    { not: /#\{/, but: "№" },
    { not: /[“”]/, but: "« »" },
    { not: /\p{Ll},? (?:Вы|Вас|Вам|Ваш\p{L}*)(?!\p{L})/u, but: "вы with a small letter" },
  ],
  es: [
    { not: words("traer", "traíd[ao]s?", "traiga[ns]?", "traen", "aporta[rn]?"), but: "subir" },
    {
      not: words("cartas?", "solicitud(?:es)?", "novedades"),
      but: "mensaje; petición; noticias",
    },
    { not: words("vencer", "vencid[ao]s?", "vence[n]?", "en venta"), but: "caducar; a la venta" },
    {
      not: words("recepción", "promesas?", "calla", "saluda como", "mirar de nuevo"),
      but: "servidor de entrada; comprobación",
    },
    { not: words("decidid[ao]"), but: "decisión guardada", of: /\.decided$/ },
    { not: stems("vende", "venta"), but: "se acepta", of: ofRates },
    { not: /\{count\} de (?!\{)/, but: "the form of many without de, as of other" },
    { not: /№|#\{/, but: "n.º" },
    { not: new RegExp(`[\\d}][^${nbsp}]?%`, "u"), but: "a non-breaking space before %" },
    { not: new RegExp(`\\d[^${nbsp}]?\\$`, "u"), but: "a non-breaking space before $" },
    { not: /\d \d{3}/, but: "100.000" },
    { not: /[“”]/, but: "« »" },
    { not: /^[^¿]*\?/, but: "¿ ?" },
    { not: /^[^¡]*!/, but: "¡ !" },
  ],
  zh: [
    { not: /信件|邮件域名|账号|故事|软件/u, but: "邮件；邮箱域名；账户；快拍；程序" },
    { not: /操作日志|问候名称|已决定/u, but: "审计日志；服务器自报名称；已处理" },
    { not: /验证码结果|回答/u, but: "人机验证结果；响应" },
    { not: /出售|上架/u, but: "收款", of: ofRates },
    {
      not: /提交|带来/u,
      but: "上传",
      of: /^(?:investor|docs\.call\.uploadBatch|refusal\.(?:notInvestor|underReview)|office\.seen)/,
    },
    { not: /开启|关闭/u, but: "启用、停用", of: /webhook/i },
    { not: /你/u, but: "您" },
    { not: /№/, but: "#" },
    { not: /[«»]/, but: "“ ”" },
    { not: /\p{Script=Han}[,:;?!()]/u, but: "full-width signs" },
    {
      not: /\p{Script=Han}[A-Za-z0-9{`]|[A-Za-z0-9}%`]\p{Script=Han}/u,
      but: "a space between Chinese and Latin",
    },
    { not: /[，。：；？！（）、] | [，。：；？！（）、]/u, but: "no space at a full-width sign" },
  ],
  ar: [
    {
      not: /(?<![\p{L}\p{M}«])[وف]?(?:اختر|اطلب|جرّب|اكسب|شارك|أنشئ|افتح|استلم|ادفع|اكتب|أدخل|ارفع|ابحث|أغلق|انتظر|اقرأ|حدّد|اضغط|انقر|أرسل|أضف|احذف|استخدم|غيّر|ابدأ|انسخ|سجّل(?= الدخول)|تحقّق|تأكّد)(?![\p{L}\p{M}])/u,
      but: "a verbal noun on buttons, يُرجى or يلزم in requests",
    },
    { not: words("هل تغادر", "هل تحذف"), but: "a verbal noun with ؟" },
    {
      not: /مدير|للمسؤولين|معرّف التسليم|النداء|حرج|مدفوعات|Telegram/u,
      but: "مشرف، إرسال، استدعاء، عاجل، دفعات، تيليجرام",
    },
    { not: words("لكم", "\\p{L}+كم"), but: "ـك", of: /^partner\./ },
    { not: stems("تُباع", "يُباع"), but: "تُقبل", of: ofRates },
    {
      not: stems("تُجلب", "يُجلب", "جلب", "يجلب"),
      but: "رفع",
      of: /^(?:investor|refusal|docs\.refusal|docs\.call\.uploadBatch|office\.(?:seen|user))/,
    },
    { not: stems("تُنسى"), but: "تُحذف" },
    { not: /اً/u, but: "ًا" },
    { not: /№|#\{/, but: "رقم" },
    { not: /[“”]/, but: "« »" },
    { not: /\p{Script=Arabic}[,;?]/u, but: "، ؛ ؟" },
    {
      not: /(?<![\u2066\u2068][^\u2069]*)\{(?:name|email|site|domain|host|url|coin|address|webhook|word|listener|file|server|network|record|wallet|since|time)\}/u,
      but: "what is filled in and may be Latin stands between U+2068 and U+2069",
      // The documentation isolates them itself; in the bot they stand alone in their line.
      of: /^(?!bot\.|docs\.(?:anchor|try)\b)/,
    },
  ],
  hi: [
    {
      not: stems("गड़बड़", "सपोर्ट", "करेंसी", "सिक्क", "तस्वीर", "व्यवस्थापक", "पंजीकरण", "सॉफ़्टवेयर", "रिसेप्शन"),
      but: "त्रुटि, सहायता, मुद्रा, कॉइन, चित्र, प्रशासक, रजिस्ट्रेशन, प्रोग्राम",
    },
    {
      not: words("शॉप", "उत्तर", "पाठ", "मूल्य", "पत्रों?", "शेष", "Telegram", "environment"),
      but: "दुकान, जवाब, टेक्स्ट, कीमत, ईमेल, बैलेंस, टेलीग्राम",
    },
    { not: stems("ख़रीद", "क़ीमत", "ख़र्च", "ग़लत", "ख़त्म"), but: "खरीद, कीमत, खर्च, गलत, खत्म" },
    {
      not: words("लाना", "लाते", "लाने", "लाई जा चुकी", "ला सकत\\p{L}\\p{M}*"),
      but: "अपलोड करना",
      of: /^(?:investor|refusal|docs\.refusal|docs\.call\.uploadBatch|office\.(?:seen|user))/,
    },
    {
      not: /\{name\}(?![^।]*खात)[^।]*सक(?:ता|ते|ेगा)/u,
      but: "the account does it, not a man",
      of: /^office\.(?:user|seen)\./,
    },
    { not: /की इंतज़ार|की ईमेल|नई ईमेल|कौन-सी इवेंट/u, but: "ईमेल, इवेंट and इंतज़ार are masculine" },
    { not: stems("बिक"), but: "स्वीकार", of: ofRates },
    { not: /\d ?\$/, but: "$ before the number" },
    { not: /№/, but: "#" },
    { not: /[«»]/, but: "“ ”" },
    { not: /\p{Script=Devanagari}\p{M}*\.(?!\p{L})/u, but: "।" },
  ],
};

/** Which rules a text of a key breaks, each as what it should say instead. */
export const brokenRules = (language: Language, key: string, text: string): string[] =>
  [...ofAll, ...ofLanguage[language]]
    .filter(({ not, of, unless }) => (of?.test(key) ?? true) && !unless?.includes(key) && not.test(text))
    .map(({ but }) => but);
