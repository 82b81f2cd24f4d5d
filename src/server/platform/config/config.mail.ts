import { createPrivateKey, type KeyObject } from "node:crypto";
import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { domainToASCII } from "node:url";

import {
  as,
  ConfigError,
  href,
  item,
  list,
  made,
  parsed,
  parsedAs,
  read,
  setting,
  shaped,
  Wrong,
  type Environment,
  type Field,
} from "./config.fields.ts";

/** The key that signs our mail (RFC 6376). */
export interface Dkim {
  readonly key: KeyObject;
  readonly selector: string;
  readonly domain: string;
}

/** The resolvers of this machine, or these addresses, with or without a port. */
export type DnsServers = "system" | readonly string[];

export interface Mail {
  /** Undefined: mail goes into the outbox under `dataDir`. */
  readonly mailUrl: string | undefined;
  readonly mailFrom: string;
  /** Undefined: our mail is not signed. */
  readonly dkim: Dkim | undefined;
}

// Verifiers ignore shorter keys (RFC 8301 §3.2).
const rsaBitsMin = 1024;
const labels = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9])?)*$/;

const selectorForm = as(
  (given) => (labels.test(given.toLowerCase()) ? given.toLowerCase() : undefined),
  () => "must be a name of letters, digits and hyphens, for example postern1",
);
const domainForm = as(
  (given) => {
    const name = domainToASCII(given).toLowerCase();
    return labels.test(name) && name.includes(".") ? name : undefined;
  },
  () => "must be a domain name; without it, it is the domain of MAIL_FROM",
);

const dkimSays =
  "Signs our own mail: the path of a PEM file with an RSA or Ed25519 key, its name in the DNS (postern1), and the domain that answers for the mail (unset: that of MAIL_FROM); `npm run shop -- dkim record` shows the DNS record.";
export const mail = {
  mailUrl: setting("MAIL_URL", href("smtp", "smtps"), undefined, {
    secret: true,
    says: "The relay for our own mail: smtp://user:password@host:587 or smtps://…:465; unset: mail is written to DATA_DIR/outbox.",
  }),
  mailFrom: setting(
    "MAIL_FROM",
    shaped(
      /^([^<>\r\n]*<)?[^\s@<>,]+@[^\s@<>,]+>?$/,
      'an email address, with or without a name: "Postern <shop@example.com>"',
    ),
    undefined,
    { usual: "Postern <no-reply@…>", says: "The sender of our own mail; required with MAIL_URL." },
  ),
  dkimKey: setting("DKIM_KEY", made(keyIn), undefined, { says: dkimSays }),
  dkimSelector: setting("DKIM_SELECTOR", selectorForm, undefined, { says: dkimSays }),
  dkimDomain: setting("DKIM_DOMAIN", domainForm, undefined, { says: dkimSays }),
};

/** The settings of our own mail. Throws ConfigError when they do not go together. */
export function readMail(env: Environment, publicUrl: string): Mail {
  const { mailUrl, mailFrom: from, dkimKey: key, dkimSelector: selector, dkimDomain } = read(env, mail);
  if (mailUrl !== undefined && from === undefined)
    throw new ConfigError("MAIL_FROM is required with MAIL_URL: the sender of our own mail.");
  const { hostname } = new URL(publicUrl);
  const host = isIP(hostname.replace(/[[\]]/g, "")) === 0 ? hostname : "localhost";
  const mailFrom = from ?? `Postern <no-reply@${host}>`;
  if (key === undefined) {
    const alone = dkimDomain === undefined ? "DKIM_SELECTOR" : "DKIM_DOMAIN";
    if (selector === undefined && dkimDomain === undefined) return { mailUrl, mailFrom, dkim: undefined };
    throw new ConfigError(`${alone} is set, but mail is only signed with DKIM_KEY: the path of the key.`);
  }
  if (selector === undefined)
    throw new ConfigError("DKIM_SELECTOR is required with DKIM_KEY: the name of the key in the DNS.");
  const domain = dkimDomain ?? parsedAs(mail.dkimDomain, addressIn(mailFrom).replace(/^.*@/, ""));
  return { mailUrl, mailFrom, dkim: { key, selector, domain } };
}

/** The bare address of "Name <address>". */
export function addressIn(from: string): string {
  return /<(.+)>/.exec(from)?.[1] ?? from;
}

/** The private key of a file. */
function keyIn(path: string): KeyObject {
  const key = readKey(path);
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
  const isRsa = key.asymmetricKeyType === "rsa";
  if (!isRsa && key.asymmetricKeyType !== "ed25519")
    throw new Wrong(`names ${path}, whose key is neither RSA nor Ed25519`);
  if (isRsa && bits < rsaBitsMin)
    throw new Wrong(`names ${path}, whose key has ${bits} bits; at least ${rsaBitsMin}, better 2048`);
  return key;
}

function readKey(path: string): KeyObject {
  let pem: string;
  try {
    pem = readFileSync(path, "utf8");
  } catch (cause) {
    const why = (cause as NodeJS.ErrnoException).code ?? "unknown";
    throw new Wrong(`names ${path}, which cannot be read (${why})`, { cause });
  }
  try {
    return createPrivateKey(pem);
  } catch {
    // Without the cause, which may quote the file.
    throw new Wrong(`names ${path}, which holds no private key in PEM without a passphrase`);
  }
}

const server = item(
  isServer,
  "system, or addresses with or without a port (192.0.2.53, [2001:db8::53]:5353)",
);
const servers: Field<DnsServers | undefined> = made((given) => {
  if (given === "system") return "system";
  const named = parsed(list(server), given);
  return named.length === 0 ? undefined : named;
});
export const dns = {
  dnsServers: setting("DNS_SERVERS", servers, undefined, {
    says: "Whom to ask for names, to record whether letters prove their sender (SPF, DKIM, DMARC): system, or addresses separated by commas (192.0.2.53,[2001:db8::53]:5353); unset: nobody is asked and nothing is recorded.",
  }),
};

function isServer(value: string): boolean {
  if (isIP(value) !== 0) return true;
  const [, four, six, port] = /^(?:([\d.]+)|\[([^\]]+)\]):(\d{1,5})$/.exec(value) ?? [];
  const isAddress = four === undefined ? isIP(six ?? "") === 6 : isIP(four) === 4;
  return isAddress && Number(port) >= 1 && Number(port) <= 65_535;
}
