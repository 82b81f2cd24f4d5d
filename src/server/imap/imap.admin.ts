// The operator's side of hosted mail: which server the mailboxes of a domain are on, and how it may be used. That is written down.
import { X509Certificate } from "node:crypto";
import type { TlsWay } from "../../contract/catalog.ts";
import * as catalog from "../catalog/catalog.ts";
import * as journal from "../journal/journal.ts";
import { isLoopbackHost } from "../platform/network-address.ts";
import { attempt, type Db } from "../platform/db/db.ts";
import { upsertHost } from "./imap.sql.ts";

export interface WantedHost {
  readonly domain: string;
  readonly host: string;
  readonly port: number;
  readonly tls: TlsWay;
  readonly connections?: number | undefined;
  readonly logins?: number | undefined;
  /** Certificates (PEM) that its own must come from; null: the known authorities; undefined: as before. */
  readonly ca?: string | null | undefined;
}

/**
 * Registers the IMAP server of a hosted domain for somebody, or changes how it is used. What is not given stays. "tls needed": without
 * TLS passwords could be read on the way, so that is for servers on this machine only.
 */
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
    // What is not given stays as it was, and the journal says nothing of it.
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

/** The certificates of a text in PEM, checked: a wrong one would be found only by letters that do not come. Undefined when it has none. */
export function readCertificates(text: string): string | undefined {
  const parts = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  if (parts.length === 0) return undefined;
  try {
    return parts.map((part) => new X509Certificate(part).toString()).join("");
  } catch {
    return undefined;
  }
}
