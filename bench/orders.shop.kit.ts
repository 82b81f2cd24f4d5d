import * as inventory from "../src/server/inventory/inventory.ts";
import type { Db } from "../src/server/platform/db/db.ts";
import { addBuyers } from "./shop.kit.ts";

export const mailDomain = "letters.test";

const siteCount = 1_000;
const userCount = 2_000;
const mailboxes = 400_000;

export type Stocked = {
  users: bigint[];
  tokens: string[];
  siteIds: number[];
  siteNames: string[];
  domainId: number;
};

export async function stock(db: Db, dataDir: string): Promise<Stocked> {
  const buyers = await addBuyers(db, dataDir, userCount);
  const sites = await db<{ id: number; name: string }[]>`
    insert into site (name) select 'site' || n || '.com' from generate_series(1, ${siteCount}::int) n returning id, name`;
  const [domain] = await db<{ id: number }[]>`
    insert into mail_domain (name, price) values (${mailDomain}, 350000) returning id`;
  if (!domain) throw new Error("no mail domain was made");
  const start = performance.now();
  await inventory.addStock(db, domain.id, mailboxes);
  console.log(`${mailboxes} mailboxes in ${((performance.now() - start) / 1000).toFixed(1)} s`);
  await db`select open_pairs(array_agg(id), array_agg(${domain.id}::integer)) from site where name like 'site%.com'`;
  await db`vacuum analyze`;
  return {
    users: buyers.map(({ id }) => id),
    tokens: buyers.map(({ token }) => token),
    siteIds: sites.map(({ id }) => id),
    siteNames: sites.map(({ name }) => name),
    domainId: domain.id,
  };
}
