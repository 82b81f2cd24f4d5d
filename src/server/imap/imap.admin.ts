import { X509Certificate } from "node:crypto";
import type { TlsWay } from "../../contract/catalog.ts";
import * as catalog from "../catalog/catalog.ts";
import * as journal from "../journal/journal.ts";
import { isLoopbackHost } from "../platform/network-address.ts";
import { attempt, type Db } from "../platform/db/db.ts";
import { selectRefusedOf, upsertHost } from "./imap.sql.ts";
import { giveBack } from "./imap.stock.ts";

export interface WantedHost {
  readonly domain: string;
  readonly host: string;
  readonly port: number;
  readonly tls: TlsWay;
  readonly connections?: number | undefined;
  readonly logins?: number | undefined;
  /** Trusted certificates (PEM); null: the known authorities; undefined: unchanged. */
  readonly ca?: string | null | undefined;
}

/** Undefined settings stay. "tls needed": without TLS passwords are readable on the network, so only for servers on this machine. */
export async function registerHost(
  db: Db,
  { host, port, tls, connections, logins, ca, ...wanted }: WantedHost,
  by: string,
): Promise<{ domain: string; imap: string } | "tls needed" | "no domain" | "not hosted"> {
  if (tls === "none" && !isLoopbackHost(host)) return "tls needed";
  const imap = `${host}:${port}`;
  return attempt(db, async (tx) => {
    const domain = await catalog.findDomain(tx, wanted.domain);
    if (!domain) return "no domain";
    if (!(await catalog.addHost(tx, domain.name, { host, port, tls }))) return "not hosted";
    await upsertHost(tx, host, port, { connections, loginsPerMinute: logins, ca });
    const ownCa = ca === undefined ? undefined : ca !== null;
    const after = { imap, tls, connections, logins, ownCa };
    await journal.note(tx, {
      by,
      did: "hosts add",
      about: domain.name,
      before: { imap: domain.imap },
      after,
    });
    return { domain: domain.name, imap };
  });
}

/** Puts the mailboxes of a domain on sale again whose log-in was refused; their refusals count from the beginning. */
export async function restore(
  db: Db,
  name: string,
  by: string,
): Promise<{ domain: string; restored: number } | "no domain"> {
  const domain = await catalog.findDomain(db, name);
  if (!domain) return "no domain";
  const refused = (await selectRefusedOf(db, domain.id)).map(({ mailboxId }) => mailboxId);
  const restored = await giveBack(db, refused);
  await journal.note(db, { by, did: "stock restore", about: domain.name, after: { restored } });
  return { domain: domain.name, restored };
}

/** Checks certificates in PEM: a wrong one would show only by missing letters. Undefined without any. */
export function readCertificates(text: string): string | undefined {
  const parts = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  if (parts.length === 0) return undefined;
  try {
    return parts.map((part) => new X509Certificate(part).toString()).join("");
  } catch {
    return undefined;
  }
}
