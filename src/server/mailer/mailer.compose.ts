import { codeLifeSeconds } from "../../contract/limits.ts";
import { fragmentOf, type MailLink } from "../../contract/mail/mail-link.ts";
import { type Language, languages } from "../../i18n/languages.ts";
import { type GrantedRole, type OwnerKind, ownerTexts } from "./mailer.owner.texts.ts";
import { type Summary, tellSummary, type SummaryText } from "./mailer.summary.ts";
import { summaryTexts } from "./mailer.summary.texts.ts";
import { linkTexts, type NoticeKind, type Sentences, texts } from "./mailer.texts.ts";
import { type WithdrawalKind, withdrawalTexts } from "./mailer.withdrawal.texts.ts";

export interface Composed {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** What happened to an account. Where it came from is left out where it is not known. */
export interface Happening {
  /** ISO 8601. */
  readonly at: string;
  readonly network?: string | undefined;
  readonly program?: string | undefined;
  readonly times: number;
  readonly webhook?: string | undefined;
  readonly role?: GrantedRole | undefined;
  /** The new address of the account. */
  readonly email?: string | undefined;
  /** Of what happened in the back office: whose act it was (undefined: the operator's), whose account it is about, dollars. */
  readonly by?: string | undefined;
  readonly about?: string | undefined;
  readonly amount?: string | undefined;
  readonly link: string;
}

/** `link`: its secret; missing in a notice that a release before it wrote, and where one code alone does nothing. */
export type Values =
  | { readonly link?: string; readonly code: string; readonly email?: string }
  | { readonly webhook: string }
  /** What a question was about, and what the shop says to it. */
  | { readonly about: string; readonly answer: string }
  /** Dollars. */
  | { readonly amount: string }
  | { readonly balance: string; readonly threshold: string }
  /** Of a withdrawal: dollars, coins, where to, and by which transaction or why not. */
  | (Record<"amount" | "coins" | "address", string> &
      ({ readonly transaction: string } | { readonly reason: string }))
  | { readonly summary: Summary }
  | Happening;

export interface Notice {
  readonly to: string;
  readonly kind: NoticeKind;
  readonly language: Language;
  readonly values: Values;
}

export function compose(notice: Notice, shop: string): Composed {
  const { language, values } = notice;
  const { host } = new URL(shop);
  const holes = { minutes: String(codeLifeSeconds / 60), host, ...wordsOf(values, language) };
  const fill = (sentence: string) =>
    Object.entries(holes).reduce((text, [name, value]) => text.replace(`{${name}}`, () => value), sentence);
  const { subject, title, lead, life, ignore } = sentencesOf(notice);
  const filled = {
    subject: fill(subject),
    title,
    lead: fill(lead),
    facts: "at" in values ? factsOf(values, language).map(fill) : [],
    life: fill(life),
    ignore: fill(ignore),
    link: linkOf(notice, shop),
    code: "code" in values ? values.code : undefined,
    summary: "summary" in values ? tellSummary(values.summary, language) : undefined,
  };
  return { subject: filled.subject, text: textOf(filled, shop), html: htmlOf(filled, language, shop) };
}

type Filled = Record<"subject" | "title" | "lead" | "life" | "ignore", string> & {
  readonly facts: readonly string[];
  readonly link: { readonly lead: string; readonly name: string; readonly url: string } | undefined;
  readonly code: string | undefined;
  readonly summary: SummaryText | undefined;
};

const isOfWithdrawal = (kind: NoticeKind): kind is WithdrawalKind => kind in withdrawalTexts.en;

const isOfOwner = (kind: NoticeKind): kind is OwnerKind => kind in ownerTexts.en.acts;

function sentencesOf({ kind, language }: Notice): Sentences {
  if (kind === "daily-summary") return summaryTexts[language];
  if (isOfWithdrawal(kind)) return withdrawalTexts[language][kind];
  if (!isOfOwner(kind)) return texts[language][kind];
  const { acts, life, ignore } = ownerTexts[language];
  return { subject: `Postern: ${acts[kind].title}`, ...acts[kind], life, ignore };
}

function wordsOf(values: Values, language: Language): Readonly<Record<string, string>> {
  if ("summary" in values) return { day: values.summary.day.split("-").toReversed().join(".") };
  if (!("at" in values)) return values;
  const {
    at,
    role,
    times,
    network = "",
    program = "",
    webhook = "",
    email = "",
    about = "",
    amount = "",
  } = values;
  const { roles, operator } = ownerTexts[language];
  const roleName = role === undefined ? "" : roles[role];
  const { by = operator } = values;
  return {
    at: timeOf(at),
    role: roleName,
    times: String(times),
    network,
    program,
    webhook,
    email,
    by,
    about,
    amount,
  };
}

/** 28.11.2026 16:05 UTC, in every language. */
const timeOf = (at: string) =>
  at.replace(
    /^(\d+)-(\d+)-(\d+)T(\d+:\d+).*$/,
    (_all, year, month, day, time) => `${day}.${month}.${year} ${time} UTC`,
  );

function factsOf({ network, program, times }: Happening, language: Language): string[] {
  const texts = ownerTexts[language];
  return [
    texts.when,
    ...(network === undefined ? [] : [texts.network]),
    ...(program === undefined ? [] : [texts.program]),
    ...(times === 1 ? [] : [texts.times]),
  ];
}

function linkOf({ to: email, kind, language, values }: Notice, shop: string): Filled["link"] {
  if (kind === "daily-summary") {
    return { lead: "", name: summaryTexts[language].title, url: `${shop}/${language}/admin` };
  }
  const code = "link" in values ? values.link : undefined;
  if (code === undefined || isOfWithdrawal(kind)) return undefined;
  const url = (link: MailLink) => `${shop}/${language}${fragmentOf(link)}`;
  if (isOfOwner(kind)) {
    const { link: lead, button: name } = ownerTexts[language];
    return { lead, name, url: url({ mode: "disown", code, email }) };
  }
  const { title: name } = texts[language][kind];
  const mode =
    kind === "reset-code" ? ({ mode: "reset", code, email } as const) : ({ mode: "activate", code } as const);
  return { lead: linkTexts[language], name, url: url(mode) };
}

function textOf({ title, lead, facts, link, code, summary, life, ignore }: Filled, shop: string): string {
  // The code has a line of its own, for people and programs.
  const alone = code === undefined ? [] : [code, ""];
  if (facts.length > 0) alone.push(...facts, "", life);
  if (summary !== undefined) alone.push(...summaryLines(summary));
  if (link !== undefined) alone.push(...(link.lead === "" ? [] : [link.lead]), link.url, "");
  if (facts.length === 0) alone.push(life);
  return [title, "", lead, "", ...alone, ignore, "", "--", "Postern", shop, ""].join("\n");
}

function summaryLines({ facts, lists }: SummaryText): string[] {
  return [
    ...facts.map(({ name, value, change }) => `${name}: ${value} (${change})`),
    "",
    ...lists.flatMap(({ title, lines }) => [title, ...lines.map((line) => `- ${line}`), ""]),
  ];
}

/** For old mail programs; loads and tracks nothing. Colours contain letters: clients' programs search the six digits of the code. */
function htmlOf(
  { subject, title, lead, facts, link, code, summary, life, ignore }: Filled,
  language: Language,
  shop: string,
): string {
  const { direction } = languages[language];
  const start = direction === "rtl" ? "right" : "left";
  const font = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans',Arial,sans-serif";
  const line = (text: string, more = "") =>
    `<p class="soft" style="margin:0;${font};font-size:15px;line-height:1.55;color:#4a5361">${escape(text)} ${more}</p>`;
  const linkLine =
    link === undefined
      ? ""
      : line(
          link.lead,
          `<a class="strong" href="${escape(link.url)}" style="color:#14171c;font-weight:600">${escape(link.name)}</a>`,
        );
  const afterCode = linkLine === "" ? line(life) : `${linkLine}<br>\n${line(life)}`;
  const afterFacts = `${facts.map((fact) => line(fact)).join("\n")}<br>\n${line(life)}\n${linkLine}`;
  return `<!DOCTYPE html>
<html lang="${language}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${escape(subject)}</title>
<style>
@media (prefers-color-scheme: dark) {
.page{background:#0b0d10!important}
.card{background:#16191f!important;border-color:#2a2f38!important}
.strong{color:#f2f4f7!important}
.soft{color:#a3adba!important}
.code{background:#0b0d10!important;color:#f2f4f7!important;border-color:#2a2f38!important}
}
</style>
</head>
<body class="page" style="margin:0;padding:0;background:#f4f5f7">
<table class="page" role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:#f4f5f7">
<tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" dir="${direction}" style="max-width:460px;text-align:${start}">
<tr><td class="strong" style="padding:0 4px 16px;${font};font-size:17px;font-weight:700;color:#14171c">Postern</td></tr>
<tr><td class="card" style="padding:28px;background:#fff;border:1px solid #e3e6eb;border-radius:14px">
<h1 class="strong" style="margin:0 0 12px;${font};font-size:21px;line-height:1.3;color:#14171c">${escape(title)}</h1>
${line(lead)}
${code === undefined ? (summary === undefined ? "<br>" : summaryBox(summary, { font, line, end: direction === "rtl" ? "left" : "right" })) : box(code)}
${facts.length === 0 ? afterCode : afterFacts}
</td></tr>
<tr><td class="soft" style="padding:16px 4px;${font};font-size:13px;line-height:1.55;color:#5a6370">${escape(ignore)}<br>
<a class="soft" href="${escape(shop)}" style="color:#5a6370">${escape(new URL(shop).host)}</a></td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`;
}

/** A figure a row: its name, and below what has changed; its value where lines end. */
function summaryBox(
  { facts, lists }: SummaryText,
  { font, line, end }: { font: string; line: (text: string) => string; end: "left" | "right" },
): string {
  const rule = "border-top:1px solid #e3e6eb";
  const rows = facts.map(
    ({ name, value, change }) => `<tr>
<td class="card" style="padding:10px 0;${rule};border-left:0;border-right:0"><span class="strong" style="${font};font-size:15px;color:#14171c">${escape(name)}</span><br>
<span class="soft" style="${font};font-size:13px;color:#4a5361">${escape(change)}</span></td>
<td class="card strong" align="${end}" style="padding:10px 0;border-left:0;border-right:0;${rule};${font};font-size:17px;font-weight:700;color:#14171c;white-space:nowrap"><bdi>${escape(value)}</bdi></td>
</tr>`,
  );
  const sections = lists.map(
    ({ title, lines }) =>
      `<h2 class="strong" style="margin:20px 0 8px;${font};font-size:17px;color:#14171c">${escape(title)}</h2>
${lines.map((one) => line(one)).join("\n")}`,
  );
  return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="margin:16px 0 0">
${rows.join("\n")}
</table>
${sections.join("\n")}
<br>`;
}

function box(code: string): string {
  const mono = "font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace";
  return `<div class="code" dir="ltr" style="margin:20px 0;padding:16px 0;background:#f4f5f7;border:1px solid #e3e6eb;border-radius:10px;text-align:center;${mono};font-size:32px;font-weight:700;letter-spacing:8px;color:#14171c">
${escape(code)}
</div>`;
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function escape(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => entities[sign] ?? sign);
}
