import { codeLifeSeconds } from "../../contract/limits.ts";
import { fragmentOf } from "../../contract/mail/mail-link.ts";
import { type Language, languages } from "../../i18n/languages.ts";
import { linkTexts, type NoticeKind, texts } from "./mailer.texts.ts";

export interface Composed {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** `link`: its secret; missing in a notice that a release before it wrote. */
export type Values = { readonly link?: string; readonly code: string } | { readonly webhook: string };

export interface Told {
  readonly to: string;
  readonly kind: NoticeKind;
  readonly language: Language;
  readonly values: Values;
}

export function compose({ to, kind, language, values }: Told, shop: string): Composed {
  const { host } = new URL(shop);
  const { subject, title, lead, life, ignore } = texts[language][kind];
  const known = { minutes: String(codeLifeSeconds / 60), host, ...values };
  const fill = (sentence: string) =>
    Object.entries(known).reduce((text, [name, value]) => text.replace(`{${name}}`, () => value), sentence);
  const filled = {
    subject,
    title,
    lead: fill(lead),
    life: fill(life),
    ignore: fill(ignore),
    link: "code" in values ? linkOf(values.link, { to, kind, language }, shop) : undefined,
    code: "code" in values ? values.code : undefined,
  };
  return { subject, text: textOf(filled, shop), html: htmlOf(filled, language, shop) };
}

type Filled = Record<"subject" | "title" | "lead" | "life" | "ignore", string> & {
  readonly link: { readonly lead: string; readonly url: string } | undefined;
  readonly code: string | undefined;
};

function linkOf(
  code: string | undefined,
  { to: email, kind, language }: Omit<Told, "values">,
  shop: string,
): Filled["link"] {
  if (code === undefined) return undefined;
  const link =
    kind === "reset-code" ? { mode: "reset" as const, code, email } : { mode: "activate" as const, code };
  return { lead: linkTexts[language], url: `${shop}/${language}${fragmentOf(link)}` };
}

function textOf({ title, lead, link, code, life, ignore }: Filled, shop: string): string {
  // The code has a line of its own, for people and programs.
  const alone = code === undefined ? [] : [code, ""];
  if (link !== undefined) alone.push(link.lead, link.url, "");
  return [title, "", lead, "", ...alone, life, ignore, "", "--", "Postern", shop, ""].join("\n");
}

/** For old mail programs; loads and tracks nothing. Colours contain letters: clients' programs search the six digits of the code. */
function htmlOf(
  { subject, title, lead, link, code, life, ignore }: Filled,
  language: Language,
  shop: string,
): string {
  const { direction } = languages[language];
  const start = direction === "rtl" ? "right" : "left";
  const font = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans',Arial,sans-serif";
  const line = (text: string, more = "") =>
    `<p class="soft" style="margin:0;${font};font-size:15px;line-height:1.55;color:#4a5361">${escape(text)} ${more}</p>`;
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
${code === undefined ? "<br>" : box(code)}
${link === undefined ? "" : `${line(link.lead, `<a class="strong" href="${escape(link.url)}" style="color:#14171c;font-weight:600">${escape(title)}</a>`)}<br>`}
${line(life)}
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
