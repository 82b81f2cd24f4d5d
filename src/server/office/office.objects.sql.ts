import { objectTables } from "../../contract/office/objects.ts";
import { hideCodes } from "../letters/letters.ts";
import type { Sql } from "../platform/db/db.ts";
import type { Asked, Part, Source } from "./office.page.sql.ts";

const { arrivals: letters, payment_steps: steps } = objectTables;

function mailboxOf(sql: Sql, address: string): Part {
  const [, local = "", domain = ""] = /^(.*)@([^@]*)$/.exec(address.toLowerCase()) ?? [];
  return sql`(select m.id from mailbox m join mail_domain d on d.id = m.domain_id where d.name = ${domain} and m.local_part = ${local})`;
}

/** Of a mailbox or a letter, each by an index; without both those of the newest letters. */
function recipients(sql: Sql, { filters }: Asked): Part {
  const [letter, mailbox] = [filters.get("letter"), filters.get("mailbox")];
  if (typeof letter === "string") return sql`select * from recipient where letter_id = ${BigInt(letter)}`;
  if (typeof mailbox === "string")
    return sql`select * from recipient where mailbox_id = ${mailboxOf(sql, mailbox)}`;
  return sql`
    select * from recipient
    where letter_id = any (array(select id from letter order by id desc limit ${letters.reach}))`;
}

export const arrivals: Source<"arrivals"> = {
  rows: (sql, asked) => sql`
    select l.id as letter_id, l.arrived_at, l.sender, l.subject, l.judged_at, m.local_part || '@' || d.name as address, g.*
    from (${recipients(sql, asked)}) t
    join letter l on l.id = t.letter_id
    join mailbox m on m.id = t.mailbox_id join mail_domain d on d.id = m.domain_id
    left join lateral (
      select o.id as order_id, o.user_id, o.number from delivery v join orders o on o.id = v.order_id
      where v.letter_id = t.letter_id and o.mailbox_id = t.mailbox_id) g on true`,
  cells: (sql) => ({
    id: sql`concat_ws(' ', r.letter_id, r.address, r.user_id, r.number)`,
    letter: sql`r.letter_id`,
    at: sql`r.arrived_at`,
    mailbox: sql`r.address`,
    from: sql`r.sender`,
    subject: sql`r.subject`,
    fate: sql`case when r.judged_at is null then 'judging' when r.order_id is null then 'unclaimed' else 'delivered' end`,
    order: sql`r.order_id`,
    user: sql`r.user_id`,
  }),
  filters: { mailbox: (sql, wanted) => sql`r.address = ${String(wanted).toLowerCase()}` },
  // The subject may hold a buyer's code.
  tell: { subject: (subject) => hideCodes(String(subject)) },
};

export const paymentSteps: Source<"payment_steps"> = {
  rows: (sql, { filters }) => {
    const payment = filters.get("payment");
    return typeof payment === "string"
      ? sql`select * from payment_event where payment_id = ${BigInt(payment)}`
      : sql`select * from payment_event where id = any (array(select id from payment_event order by id desc limit ${steps.reach}))`;
  },
  cells: (sql) => ({
    id: sql`r.id`,
    payment: sql`r.payment_id`,
    at: sql`r.at`,
    what: sql`r.what`,
    detail: sql`nullif(r.detail, '{}')`,
  }),
};
