// Identifiers reveal two accounts of one person (db/migrations/0033_partner_holds.sql); db/functions/find_account_links.sql compares them.
import { addressIdentifierDays } from "../../contract/limits.ts";
import { isLocal, networkOf } from "../platform/network-address.ts";
import { secondsAfter } from "../platform/clock.ts";
import type { Db, Sql } from "../platform/db/db.ts";
import type { Seal } from "../platform/seal.ts";
import type { Hashes } from "./users.sql.ts";
import { deleteIdentifiers, hasIdentifier, putIdentifier } from "./users.identifiers.sql.ts";

/** A wallet is in the canonical spelling of its chain. */
type Mark =
  | { readonly telegram: bigint }
  | { readonly wallet: string }
  | { readonly address: string }
  | { readonly email: string };

type MarkKind = "telegram" | "wallet" | "address" | "email";

const day = 24 * 60 * 60;
const notedMax = 20_000;

/** Stores a keyed hash, by the key before too: it is compared with those that were stored by that. Leaves out addresses of this machine and its network, which identify nobody. */
export async function noteIdentifiers(
  sql: Sql,
  seal: Seal,
  userId: bigint,
  what: Mark,
  at: Date,
): Promise<void> {
  const put = async (kind: MarkKind, text: string, expiresAt: Date | null) => {
    for (const hash of seal.hashes(`mark ${kind}`, text))
      if (hash) await putIdentifier(sql, { userId, kind, hash, expiresAt });
  };
  if ("telegram" in what) await put("telegram", String(what.telegram), null);
  else if ("wallet" in what) await put("wallet", what.wallet, null);
  else if ("email" in what) await put("email", canonicalEmail(what.email), null);
  else if (!isLocal(what.address))
    await put("address", networkOf(what.address), secondsAfter(at, addressIdentifierDays * day));
}

/** Under which its mark may be kept. */
export const telegramMarks = (seal: Seal, telegramId: bigint): Hashes =>
  seal.hashes("mark telegram", String(telegramId));

const dotless = new Set(["gmail.com", "googlemail.com"]);

/** The mailbox that an e-mail address means: without a tag, and without dots where its provider reads none. */
export function canonicalEmail(email: string): string {
  const [local = "", domain = ""] = email.toLowerCase().split("@");
  const [untagged = ""] = local.split("+");
  return dotless.has(domain) ? `${untagged.replaceAll(".", "")}@gmail.com` : `${untagged || local}@${domain}`;
}

export function hasAddress(
  sql: Sql,
  seal: Seal,
  account: bigint | string,
  address: string,
  at: Date,
): Promise<boolean> {
  if (isLocal(address)) return Promise.resolve(false);
  const hashes = seal.hashes("mark address", networkOf(address));
  return hasIdentifier(sql, account, { kind: "address", hashes }, at);
}

export interface Identifiers {
  /** A network address within the hour only once: each order of an invited buyer notes it. */
  note(userId: bigint, what: Mark, at: Date): Promise<void>;
  forget(at: Date): Promise<number>;
}

export function openIdentifiers(db: Db, seal: Seal): Identifiers {
  const noted = new Map<string, Date>();
  return {
    note: async (userId, what, at) => {
      const key = "address" in what ? `${userId} ${networkOf(what.address)}` : undefined;
      const until = key === undefined ? undefined : noted.get(key);
      if (until !== undefined && at < until) return;
      await noteIdentifiers(db, seal, userId, what, at);
      if (key === undefined) return;
      if (noted.size >= notedMax) noted.clear();
      noted.set(key, secondsAfter(at, 3600));
    },
    forget: async (at) => (await deleteIdentifiers(db, at)).count,
  };
}
