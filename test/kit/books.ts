import type { AddressInfo } from "node:net";
import { createHttp } from "../../src/server/http.ts";
import type { Caller } from "../../src/server/platform/http/answer.ts";
import { readConfig } from "../../src/server/platform/config/config.ts";
import type { Db } from "../../src/server/platform/db/db.ts";
import { createLog } from "../../src/server/platform/log.ts";
import { type AboutLines, statementRoutes } from "../../src/server/ledger/ledger.routes.ts";

/** The time of the first line of `fillAccount`; each next one is a minute later. */
export const filledFrom = Date.UTC(2026, 0, 1) / 1000;

/** Transfers with alternating signs and changing amounts, by SQL. */
export async function fillAccount(db: Db, userId: bigint, lines: number): Promise<void> {
  await db`
    with moved as (
      insert into transfer (debit, credit, amount, at, kind)
      select case when n % 2 = 0 then a.id else 10 end, case when n % 2 = 0 then 1 else a.id end,
             case when n % 2 = 0 then n else n + 1000000 end,
             to_timestamp(${filledFrom}::bigint + 60 * (n - 1)), (case when n % 2 = 0 then 'hold' else 'topup' end)::transfer_kind
      from account a, generate_series(1, ${lines}::bigint) as n
      where a.user_id = ${userId} and a.book = 'balance' order by n
      returning debit, credit, amount)
    update account set balance = balance + (select sum(case when credit = account.id then amount else -amount end) from moved)::bigint
    where user_id = ${userId} and book = 'balance'`;
  await db`analyze transfer`;
}

/** No line is about anything: only the ledger is here. */
export const aboutNothing: AboutLines = async (_userId, lines) => lines.map(() => ({}));

/** The ledger's calls alone, over HTTP. The token is the user id. */
export async function openBooks(db: Db): Promise<{ url: string; close: () => Promise<void> }> {
  const callerOf = async (token: string): Promise<Caller | undefined> => {
    const what = { active: true, admin: false, investor: false, token };
    return /^[0-9]+$/.test(token) ? { userId: BigInt(token), ...what } : undefined;
  };
  const app = await createHttp({
    config: readConfig({ DATA_DIR: "/nonexistent", DEMO: "true" }),
    log: createLog("silent"),
    routes: statementRoutes({ db, aboutLines: aboutNothing }),
    hooks: { callerOf, admit: async () => undefined },
  });
  await app.listen({ host: "127.0.0.1", port: 0 });
  const { port } = app.server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => app.close() };
}
