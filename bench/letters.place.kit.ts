import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as inventory from "../src/server/inventory/inventory.ts";
import type { Db } from "../src/server/platform/db/db.ts";
import { migrate } from "../src/server/platform/db/migrate.ts";
import { openOrders } from "../src/server/orders/orders.ts";
import { idsOf, openIds } from "../src/server/platform/ids.ts";
import type { Target } from "./letters.letter.kit.ts";
import { addBuyers, type Home, onDatabase, orderSeconds } from "./shop.kit.ts";

export const mailDomain = "letters.test";
const buyers = 200;
const site = "site1.com";
const sender = `no-reply@mail.${site}`;
const ordersAtOnce = 256;

export interface Place extends Home {
  targets: Target[];
  targetsFile: string;
}

/** Fills a new shop; of each ten mailboxes, so many get an order. */
export async function furnish(
  folder: string,
  mailboxes: number,
  orderedOfTen: number,
  databaseUrl?: string,
): Promise<Place> {
  const dataDir = join(folder, "shop");
  const targets = await onDatabase({ dataDir, databaseUrl }, async (db) => {
    await migrate(db);
    await openIds(db);
    const [domain] = await db<{ id: number }[]>`
      insert into mail_domain (name, price) values (${mailDomain}, 350000) returning id`;
    if (!domain) throw new Error("no mail domain was made");
    await inventory.addStock(db, domain.id, mailboxes);
    // One site: for a second one the same mailboxes would be sold again.
    const [siteRow] = await db<{ id: number }[]>`insert into site (name) values (${site}) returning id`;
    if (!siteRow) throw new Error("no site was made");
    const users = await addBuyers(db, dataDir, buyers);
    await takeFigures(db);
    const found = new Map<string, Target>();
    const orders = openOrders(db, { ttlSeconds: orderSeconds, shard: 1 });
    let left = Math.floor((mailboxes * orderedOfTen) / 10);
    const client = async () => {
      for (; left > 0;) {
        const user = users[left-- % users.length]!;
        const placed = await orders.place({ userId: user.id, siteId: siteRow.id, domainIds: [domain.id] });
        if ("refusal" in placed) throw new Error(`an order was refused: ${placed.refusal}`);
        const order = { id: idsOf(db).show(placed.orderId), token: user.token };
        found.set(placed.email, { address: placed.email, sender, order });
      }
    };
    await Promise.all(Array.from({ length: ordersAtOnce }, client));
    const addresses = await db<{ address: string }[]>`
      select local_part || '@' || ${mailDomain}::text as address from mailbox order by id`;
    await takeFigures(db);
    return mixed(addresses.map(({ address }) => found.get(address) ?? { address, sender }));
  });
  const targetsFile = join(folder, "targets.json");
  await writeFile(targetsFile, JSON.stringify(targets));
  return { dataDir, databaseUrl, targets, targetsFile };
}

/** Runs ANALYZE as a live shop does. Empty tables are left out: a plan made for them would read all rows later. */
async function takeFigures(db: Db): Promise<void> {
  const filled = await db<{ name: string }[]>`
    select oid::regclass::text as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace and pg_relation_size(oid) > 0`;
  await db.unsafe(`vacuum analyze ${filled.map(({ name }) => name).join(", ")}`);
}

/** Shuffles, the same in each run. */
function mixed<Item>(list: readonly Item[]): Item[] {
  const stride = 7_919;
  if (list.length % stride === 0) return [...list];
  return list.map((_, index) => list[(index * stride) % list.length]!);
}
