// `npm run letter -- <address> [--site instagram.com] [--lang en] [--code 123456]`: sends a verification letter to a running shop.
import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { createTransport } from "nodemailer";
import { languages, type Language } from "../src/i18n/languages.ts";
import { readConfig } from "../src/server/platform/config/config.ts";
import { answerWords } from "../src/server/platform/words.ts";

interface Words {
  subject: string;
  hello: string;
  lead: string;
  life: string;
  button: string;
  ignore: string;
}

// What sites write; {site} and {code} are filled in.
const texts = {
  en: {
    subject: "{code} is your {site} code",
    hello: "Hi,",
    lead: "Someone tried to sign up for {site} with this address. If it was you, enter this confirmation code:",
    life: "The code is valid for 15 minutes.",
    button: "Confirm email address",
    ignore: "If you did not request it, ignore this email.",
  },
  ru: {
    subject: "{code} — ваш код для {site}",
    hello: "Здравствуйте!",
    lead: "Кто-то регистрируется на {site} с этим адресом. Если это вы, введите код подтверждения:",
    life: "Код действует 15 минут.",
    button: "Подтвердить адрес",
    ignore: "Если это были не вы, просто удалите письмо.",
  },
  es: {
    subject: "{code} es tu código de {site}",
    hello: "Hola:",
    lead: "Alguien quiere registrarse en {site} con esta dirección. Si has sido tú, introduce este código de confirmación:",
    life: "El código caduca en 15 minutos.",
    button: "Confirmar correo",
    ignore: "Si no lo has pedido, ignora este mensaje.",
  },
  zh: {
    subject: "{code} 是您的 {site} 验证码",
    hello: "您好：",
    lead: "有人正在使用此邮箱注册 {site}。如果是您本人，请输入以下验证码：",
    life: "验证码在 15 分钟内有效。",
    button: "确认邮箱",
    ignore: "如非本人操作，请忽略此邮件。",
  },
  ar: {
    subject: "{code} هو رمز التحقق الخاص بك من {site}",
    hello: "مرحبًا،",
    lead: "حاول شخص ما التسجيل في {site} بهذا العنوان. إذا كان الطلب منك، فيُرجى إدخال رمز التحقق هذا:",
    life: "الرمز صالح لمدة 15 دقيقة.",
    button: "تأكيد البريد الإلكتروني",
    ignore: "إذا لم يكن الطلب منك، فيُرجى تجاهل هذه الرسالة.",
  },
  hi: {
    subject: "{code} आपका {site} कोड है",
    hello: "नमस्ते,",
    lead: "किसी ने इस पते से {site} पर साइन अप करने की कोशिश की। अगर यह आप थे, तो यह पुष्टि कोड डालें:",
    life: "कोड 15 मिनट तक मान्य है।",
    button: "ईमेल की पुष्टि करें",
    ignore: "अगर आपने यह नहीं माँगा, तो इस ईमेल को अनदेखा करें।",
  },
} satisfies Partial<Record<Language, Words>>;

type Written = keyof typeof texts;
const isWritten = (language: string): language is Written => Object.hasOwn(texts, language);

const usage = `Usage:
  npm run letter -- <address> [--site instagram.com] [--lang ${Object.keys(texts).join("|")}] [--code 123456]`;

interface Options {
  to: string;
  site: string;
  language: Written;
  code: string;
}

const words = {
  allowPositionals: true,
  options: { site: { type: "string" }, lang: { type: "string" }, code: { type: "string" } },
} as const;

function readArguments(): Options | undefined {
  const { values, positionals } = parseArgs(words);
  const [to = "", ...more] = positionals;
  const language = values.lang ?? "en";
  if (!/^[^@\s]+@[^@\s]+$/.test(to) || more.length > 0 || !isWritten(language)) return undefined;
  const site = (values.site ?? "instagram.com").toLowerCase();
  const code = values.code ?? String(randomInt(1_000_000)).padStart(6, "0");
  return { to, site: site.includes(".") ? site : `${site}.com`, language, code };
}

function letterOf({ to, site, language, code }: Options) {
  const name = site.split(".")[0] ?? site;
  const brand = name.charAt(0).toUpperCase() + name.slice(1);
  const fill = (text: string) => text.replaceAll("{site}", brand).replaceAll("{code}", code);
  const words = texts[language];
  const link = `https://www.${site}/accounts/confirm_email/${Buffer.from(`${to} ${code}`).toString("hex").slice(0, 32)}`;
  const { direction } = languages[language];
  return {
    from: { name: brand, address: `no-reply@mail.${site}` },
    to,
    subject: fill(words.subject),
    text: [words.hello, fill(words.lead), code, words.life, `${words.button}: ${link}`, words.ignore].join(
      "\n\n",
    ),
    html: `<!DOCTYPE html><html lang="${language}" dir="${direction}"><head><meta charset="utf-8"><style>.c{color:#202123}</style></head>
<body style="margin:0;background-color:#fafafa;font-family:Helvetica,Arial,sans-serif;color:#262626">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="480" cellpadding="0" cellspacing="0" style="max-width:480px;background-color:#ffffff;border:1px solid #dbdbdb;border-radius:8px">
<tr><td style="padding:32px;font-size:16px;line-height:24px"><p style="font-size:22px;font-weight:bold;margin:0 0 24px">${brand}</p>
<p>${words.hello}</p><p>${fill(words.lead)}</p>
<p style="font-size:32px;letter-spacing:6px;text-align:center;font-weight:bold">${code}</p><p>${words.life}</p>
<p style="text-align:center"><a href="${link}" style="background-color:#0095f6;color:#ffffff;padding:12px 24px;border-radius:6px;text-decoration:none;display:inline-block">${words.button}</a></p>
<p style="font-size:13px;color:#737373">${words.ignore}</p></td></tr></table>
<p style="font-size:11px;color:#a8a8a8">© 2025 ${brand}, 1601 Willow Road, Menlo Park, CA 94025</p></td></tr></table></body></html>`,
  };
}

function explain(fault: unknown, to: string, door: string): string {
  const { responseCode, response, code, message } = fault as {
    responseCode?: number;
    response?: string;
    code?: string;
    message?: string;
  };
  if (code === "ESOCKET" || code === "ECONNECTION" || code === "ECONNREFUSED")
    return `No mail receiver answers at ${door}. Is the shop running (npm start), with the same SMTP_HOST and SMTP_PORT?`;
  if (responseCode === 550)
    return `The shop has no mailbox ${to}. Order an address first and write to it. Its answer: ${response}`;
  return `The shop refused the letter: ${response ?? message}`;
}

async function send(options: Options): Promise<number> {
  const { smtpHost, smtpPort } = readConfig(process.env);
  const letter = letterOf(options);
  const transport = createTransport({
    host: smtpHost === "0.0.0.0" || smtpHost === "::" ? "127.0.0.1" : smtpHost,
    port: smtpPort,
    secure: false,
    ignoreTLS: true,
    name: `mail.${options.site}`,
  });
  try {
    const { response } = await transport.sendMail(letter);
    console.log(`From     ${letter.from.name} <${letter.from.address}>`);
    console.log(`To       ${options.to}`);
    console.log(`Subject  ${letter.subject}`);
    console.log(`Code     ${options.code}`);
    console.log(`Answer   ${response}`);
    return 0;
  } catch (fault) {
    console.error(explain(fault, options.to, `${smtpHost}:${smtpPort}`));
    return 1;
  } finally {
    transport.close();
  }
}

answerWords(usage, words);
const options = readArguments();
if (options === undefined) {
  console.error(usage);
  process.exitCode = 2;
} else process.exitCode = await send(options);
