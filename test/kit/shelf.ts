import { randomBytes } from "node:crypto";
import type { Db } from "../../src/server/platform/db/db.ts";
import { usd, type Usd } from "../../src/server/platform/money.ts";
import * as inventory from "../../src/server/inventory/inventory.ts";
import * as ledger from "../../src/server/ledger/ledger.ts";

const unique = () => randomBytes(6).toString("hex");

export async function buyer(
  db: Db,
  {
    balance = "0",
    referredBy,
    isInvestor = false,
  }: { balance?: string; referredBy?: bigint; isInvestor?: boolean } = {},
): Promise<bigint> {
  const name = `buyer-${unique()}`;
  const [row] = await db<{ id: bigint }[]>`
    insert into users (email, name, password_hash, token_hash, token_sealed, activated_at, referred_by, is_investor)
    values (${`${name}@buyers.test`}, ${name}, 'none', ${randomBytes(32)}, '', now(), ${referredBy ?? null}, ${isInvestor})
    returning id`;
  if (!row) throw new Error("no user was made");
  await topUp(db, row.id, usd(balance));
  return row.id;
}

export async function topUp(db: Db, userId: bigint, amount: Usd): Promise<void> {
  await ledger.open(db, userId);
  if (amount > 0n)
    await ledger.credit(db, { userId, amount, gateway: "sandbox", idempotencyKey: `test ${unique()}` });
}

export async function shelf(
  db: Db,
  mailboxes: number,
  price = "0.0035",
): Promise<{ domainId: number; domain: string }> {
  const domain = `${unique()}.test`;
  const [row] = await db<{ id: number }[]>`
    insert into mail_domain (name, price) values (${domain}, ${usd(price)}) returning id`;
  if (!row) throw new Error("no mail domain was made");
  if (mailboxes > 0) await inventory.addStock(db, row.id, mailboxes);
  return { domainId: row.id, domain };
}

export async function site(db: Db): Promise<number> {
  const [row] = await db<{ id: number }[]>`
    insert into site (name) values (${`${unique()}.example`}) returning id`;
  if (!row) throw new Error("no site was made");
  return row.id;
}

/** Stores a letter like the reception. `isMatched`: matching is done. */
export async function letter(
  db: Db,
  mailboxIds: bigint[],
  { isMatched = true, html = "<p>hello</p>" }: { isMatched?: boolean; html?: string } = {},
): Promise<bigint> {
  const [row] = await db<{ id: bigint }[]>`
    with one as (
      insert into letter (judged_at, is_given, size_bytes, mail_from, sender, subject)
      values (${isMatched ? new Date() : null}, false, 1, 'news@site.example', 'Site <news@site.example>', 'Hello')
      returning id, arrived_at),
    raw as (insert into letter_raw (letter_id, arrived_at, raw) select id, arrived_at, ''::bytea from one),
    body as (insert into letter_body (letter_id, arrived_at, html) select id, arrived_at, convert_to(${html}, 'UTF8') from one)
    select id from one`;
  if (!row) throw new Error("no letter was made");
  for (const mailboxId of mailboxIds)
    await db`insert into recipient (letter_id, mailbox_id) values (${row.id}, ${mailboxId})`;
  return row.id;
}

export async function mailboxOf(db: Db, orderId: bigint): Promise<bigint> {
  const [row] = await db<
    { mailboxId: bigint }[]
  >`select mailbox_id as "mailboxId" from orders where id = ${orderId}`;
  if (!row) throw new Error(`there is no order ${orderId}`);
  return row.mailboxId;
}
