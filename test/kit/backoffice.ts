import { expect } from "vitest";
import { type Entry, list } from "../../src/server/journal/journal.ts";
import type { Answer, TestShop } from "./shop.ts";

type Asked = Record<string, string>;

/** The calls of an administrator. */
export interface BackOffice {
  readonly by: string;
  readonly adminId: string;
  readonly token: string;
  act(path: string, asked: Asked, token?: string): Promise<Answer>;
  someone(): Promise<{ token: string; id: string }>;
  written(about: string): Promise<Entry[]>;
  refusesAll(path: string, cases: readonly (readonly [Asked, string])[]): Promise<void>;
}

/** Needs admin@example.com to be unregistered. */
export async function openBackOffice(shop: TestShop): Promise<BackOffice> {
  const admin = await shop.member("admin@example.com");
  const idOf = async (token: string) =>
    String(((await shop.get("/user/information", { token }))["data"] as { id: string }).id);
  const adminId = await idOf(admin);
  const act: BackOffice["act"] = (path, asked, token = admin) =>
    shop.post(`/api/admin/${path}`, { token, ...asked });
  const acts = async () => (await shop.db<{ count: bigint }[]>`select count(*) from audit_log`)[0]?.count;
  return {
    by: `user ${adminId}`,
    adminId,
    token: admin,
    act,
    someone: async () => {
      const token = await shop.member();
      return { token, id: await idOf(token) };
    },
    written: (about) => list(shop.db, { about }),
    refusesAll: async (path, cases) => {
      for (const [asked, value] of cases) {
        const before = await acts();
        const refused = { status: "error", value, error: value };
        expect([asked, await act(path, asked)]).toMatchObject([asked, refused]);
        expect(await acts()).toBe(before);
      }
    },
  };
}

/** Blocks a call at a database lock, does something meanwhile, and answers both results. `lock` is a statement. */
export async function meanwhile<Other>(
  shop: TestShop,
  lock: string,
  call: () => Promise<Answer>,
  work: () => Promise<Other>,
): Promise<[Answer, Other]> {
  let first: Promise<Answer> | undefined;
  const other = await shop.db.begin(async (tx) => {
    await tx.unsafe(lock);
    first = call();
    const waits = async () =>
      (
        await tx`select 1 from pg_stat_activity
                 where datname = current_database() and pg_backend_pid() = any (pg_blocking_pids(pid))`
      ).length;
    await expect.poll(waits).toBeGreaterThan(0);
    return { told: await work() };
  });
  if (!first) throw new Error("the call did not begin");
  return [await first, (other as { told: Other }).told];
}
