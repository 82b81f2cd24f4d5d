import { z } from "zod/mini";
import { all, type Sql } from "../../../platform/db/db.ts";

export const selectJettonWallets = (sql: Sql, master: string, owners: readonly string[]) =>
  all(
    z.object({ owner: z.string(), wallet: z.string() }),
    sql`select owner, wallet from ton_jetton_wallet where master = ${master} and owner = any(${[...owners]}::text[])`,
  );

export const insertJettonWallet = (sql: Sql, row: { master: string; owner: string; wallet: string }) =>
  sql`insert into ton_jetton_wallet (master, owner, wallet) values (${row.master}, ${row.owner}, ${row.wallet})
      on conflict do nothing`;
