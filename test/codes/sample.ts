import { createTransport } from "nodemailer";
import { encode } from "./charset.ts";

/** A letter as sites send it, and what must be found in it. */
export interface Sample {
  name: string;
  from: string;
  subject: string;
  text?: string;
  html?: string;
  encoding?: "base64" | "quoted-printable";
  charset?: string;
  code?: string;
  link?: string;
}

export type Language = "english" | "russian" | "spanish" | "chinese" | "arabic" | "hindi";
export type Samples = Readonly<Record<Language, readonly Sample[]>>;

/** The raw letter from a real mailer. */
export async function rawOf(sample: Sample, to = "ann@letters.test"): Promise<Buffer> {
  if (sample.charset !== undefined) return rawInCharset(sample, sample.charset, to);
  const transport = createTransport({ streamTransport: true, buffer: true, newline: "windows" });
  const { from, subject, text, html, encoding } = sample;
  const sent = await transport.sendMail({ from, to, subject, text, html, textEncoding: encoding });
  return sent.message as Buffer;
}

function rawInCharset({ from, subject, text, html, encoding }: Sample, charset: string, to: string): Buffer {
  const word = (said: string) => `=?${charset}?B?${encode(said, charset).toString("base64")}?=`;
  const [, name = "", address = from] = /^(.*) <(.*)>$/.exec(from) ?? [];
  const body = encode(html ?? text ?? "", charset);
  const head = [
    `From: ${word(name)} <${address}>`,
    `To: ${to}`,
    `Subject: ${word(subject)}`,
    "MIME-Version: 1.0",
    `Content-Type: text/${html === undefined ? "plain" : "html"}; charset=${charset}`,
    `Content-Transfer-Encoding: ${encoding ?? "8bit"}`,
  ];
  const lines =
    encoding === "base64" ? Buffer.from(body.toString("base64").replaceAll(/.{76}/g, "$&\r\n")) : body;
  return Buffer.concat([Buffer.from(`${head.join("\r\n")}\r\n\r\n`), lines]);
}

const footer =
  '<tr><td style="font-size:11px;color:#202123">© 2025 Example Inc., 1601 Willow Road, Menlo Park, CA 94025 · <a href="https://example.test/unsubscribe?u=1">Unsubscribe</a></td></tr>';

export function styled(body: string, direction: "ltr" | "rtl" = "ltr"): string {
  return `<!DOCTYPE html><html dir="${direction}"><head><meta charset="utf-8"><title>Mail 998877</title>
<style>body{background:#121212}.a1{color:#123456;width:600px}@media (max-width:480px){.b{width:100%!important}}</style></head>
<body bgcolor="#fafafa" style="margin:0;color:#262626"><div style="display:none;max-height:0">preview 555555 &zwnj;&nbsp;&zwnj;</div>
<!--[if mso]><table width="600"><tr><td>777777</td></tr></table><![endif]-->
<table width="600" style="width:600px;color:#202123"><tr><td style="font-size:0px;padding:10px 25px"><div style="font-size:14px">${body}</div></td></tr>
${footer}</table><img src="https://example.test/pixel/482910.gif" width="1" height="1" alt=""></body></html>`;
}
