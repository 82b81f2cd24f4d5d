// DKIM-signed letters by a common mailer, with keys of this run.
import { generateKeyPairSync } from "node:crypto";
import nodemailer from "nodemailer";

export interface SigningKey {
  readonly domain: string;
  readonly selector: string;
  readonly pem: string;
  readonly record: readonly [name: string, text: string];
}

/** RSA, as in nearly all mail. */
export function signingKey(domain: string, selector = "s1"): SigningKey {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const published = publicKey.export({ type: "spki", format: "der" }).toString("base64");
  return {
    domain,
    selector,
    pem: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    record: [`${selector}._domainkey.${domain}`, `v=DKIM1; k=rsa; p=${published}`],
  };
}

/** The raw letter, signed with each key. */
export async function signedLetter(
  letter: { from: string; to?: string; subject?: string; text?: string },
  keys: readonly SigningKey[] = [],
): Promise<Buffer> {
  const mailer = nodemailer.createTransport({ streamTransport: true, buffer: true, newline: "windows" });
  const { message } = await mailer.sendMail({
    to: "somebody@letters.test",
    subject: "Hello",
    text: "Your code is 482913.",
    ...letter,
    ...(keys.length > 0 && {
      dkim: {
        keys: keys.map(({ domain, selector, pem }) => ({
          domainName: domain,
          keySelector: selector,
          privateKey: pem,
        })),
      } as never,
    }),
  });
  return message as Buffer;
}
