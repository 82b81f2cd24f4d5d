// Whose a letter in a hosted mailbox is: several logins of the stock may open one box.
import { boxAddressOf } from "../../contract/login.ts";
import * as inventory from "../inventory/inventory.ts";
import type { Sql } from "../platform/db/db.ts";
import type { Box } from "./imap.sql.ts";

export interface Addressed {
  /** False: it names other mailboxes of the stock, and not this one. */
  readonly isMeant: boolean;
  /** It names one address alone, and that is one of the stock: no other box has the same letter. */
  readonly isPersonal: boolean;
}

/** An address is the mailbox of its very name, else the one before its tag. Where the sender names none of ours the server's fields say it, and where these name none, it may be for this mailbox. */
export async function addressed(
  sql: Sql,
  levels: readonly (readonly string[])[],
  { mailboxId, login }: Pick<Box, "mailboxId" | "login">,
): Promise<Addressed> {
  const [bySender = []] = levels;
  if (bySender.includes(login)) return { isMeant: true, isPersonal: bySender.length === 1 };
  const stock = await inventory.findStock(
    sql,
    levels.flat().flatMap((address) => [address, boxAddressOf(address)]),
  );
  const named = levels.map((addresses) =>
    addresses.flatMap((address) => stock.get(address) ?? stock.get(boxAddressOf(address)) ?? []),
  );
  const meant = named.find((ids) => ids.length > 0);
  return {
    isMeant: meant?.includes(mailboxId) ?? true,
    isPersonal: bySender.length === 1 && named[0]?.length === 1,
  };
}
