import { createPrivateKey, type KeyObject } from "node:crypto";
import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { domainToASCII } from "node:url";

import { ConfigError, list, shaped, text, url, type Environment } from "./config.read.ts";

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

export function readMail(env: Environment, publicUrl: string): Mail {
  const mailUrl = url(env, "MAIL_URL", ["smtp", "smtps"])?.href;
  const form = 'an email address, with or without a name: "Postern <shop@example.com>"';
  const from = shaped(env, "MAIL_FROM", /^([^<>\r\n]*<)?[^\s@<>,]+@[^\s@<>,]+>?$/, form);
  if (mailUrl !== undefined && from === undefined)
    throw new ConfigError("MAIL_FROM is required with MAIL_URL: the sender of our own mail.");
  const { hostname } = new URL(publicUrl);
  const domain = isIP(hostname.replace(/[[\]]/g, "")) === 0 ? hostname : "localhost";
  const mailFrom = from ?? `Postern <no-reply@${domain}>`;
  return { mailUrl, mailFrom, dkim: readDkim(env, mailFrom) };
}

/** The bare address of "Name <address>". */
export function addressIn(from: string): string {
  return /<(.+)>/.exec(from)?.[1] ?? from;
}

function readDkim(env: Environment, mailFrom: string): Dkim | undefined {
  const path = text(env, "DKIM_KEY");
  const selector = text(env, "DKIM_SELECTOR")?.toLowerCase();
  const given = text(env, "DKIM_DOMAIN");
  if (path === undefined) {
    const alone = given === undefined ? "DKIM_SELECTOR" : "DKIM_DOMAIN";
    if (selector === undefined && given === undefined) return undefined;
    throw new ConfigError(`${alone} is set, but mail is only signed with DKIM_KEY: the path of the key.`);
  }
  if (selector === undefined)
    throw new ConfigError("DKIM_SELECTOR is required with DKIM_KEY: the name of the key in the DNS.");
  if (!labels.test(selector))
    throw new ConfigError(
      "DKIM_SELECTOR must be a name of letters, digits and hyphens, for example postern1.",
    );
  const domain = domainToASCII(given ?? addressIn(mailFrom).replace(/^.*@/, "")).toLowerCase();
  if (!labels.test(domain) || !domain.includes("."))
    throw new ConfigError("DKIM_DOMAIN must be a domain name; without it, it is the domain of MAIL_FROM.");
  return { key: readKey("DKIM_KEY", path), selector, domain };
}

function readKey(name: string, path: string): KeyObject {
  const key = keyIn(name, path);
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
  const isRsa = key.asymmetricKeyType === "rsa";
  if (!isRsa && key.asymmetricKeyType !== "ed25519")
    throw new ConfigError(`${name} names ${path}, whose key is neither RSA nor Ed25519.`);
  if (isRsa && bits < rsaBitsMin)
    throw new ConfigError(
      `${name} names ${path}, whose key has ${bits} bits; at least ${rsaBitsMin}, better 2048.`,
    );
  return key;
}

function keyIn(name: string, path: string): KeyObject {
  let pem: string;
  try {
    pem = readFileSync(path, "utf8");
  } catch (cause) {
    const why = (cause as NodeJS.ErrnoException).code ?? "unknown";
    throw new ConfigError(`${name} names ${path}, which cannot be read (${why}).`, { cause });
  }
  try {
    return createPrivateKey(pem);
  } catch {
    // Without the cause, which may quote the file.
    throw new ConfigError(`${name} names ${path}, which holds no private key in PEM without a passphrase.`);
  }
}

/** The DNS_SERVERS setting; undefined: letters are not authenticated. */
export function readDnsServers(env: Environment): DnsServers | undefined {
  const servers = list(env, "DNS_SERVERS");
  if (servers.length === 0) return undefined;
  if (servers.length === 1 && servers[0] === "system") return "system";
  const wrong = servers.find((server) => !isServer(server));
  if (wrong !== undefined)
    throw new ConfigError(
      `DNS_SERVERS has "${wrong}" but takes system, or addresses with or without a port (192.0.2.53, [2001:db8::53]:5353).`,
    );
  return servers;
}

function isServer(value: string): boolean {
  if (isIP(value) !== 0) return true;
  const [, four, six, port] = /^(?:([\d.]+)|\[([^\]]+)\]):(\d{1,5})$/.exec(value) ?? [];
  const isAddress = four === undefined ? isIP(six ?? "") === 6 : isIP(four) === 4;
  return isAddress && Number(port) >= 1 && Number(port) <= 65_535;
}
