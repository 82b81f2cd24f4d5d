import { z } from "zod/mini";
import { all, maybe, type Sql } from "../platform/db/db.ts";
import { Raw } from "./letters.raw.ts";

const About = z.object({
  id: z.bigint(),
  arrivedAt: z.date(),
  sizeBytes: z.int(),
  mailFrom: z.string(),
  remote: z.nullable(z.string()),
  helo: z.string(),
  sender: z.nullable(z.string()),
  subject: z.nullable(z.string()),
});
export type About = z.infer<typeof About>;

const aboutColumns = (sql: Sql) => sql`
  letter.id, letter.arrived_at as "arrivedAt", letter.size_bytes as "sizeBytes", letter.mail_from as "mailFrom",
  host(letter.remote) as remote, letter.helo, letter.sender, letter.subject`;

export const selectForPostmaster = (sql: Sql, before: bigint | null, size: number) =>
  all(
    About,
    sql`select ${aboutColumns(sql)} from letter
        where is_to_postmaster and (${before}::bigint is null
          or (arrived_at, id) < (select arrived_at, id from letter where id = ${before}))
        order by arrived_at desc, id desc limit ${size}`,
  );

const Inspected = z.extend(About, {
  isMatched: z.boolean(),
  isGiven: z.boolean(),
  spf: z.nullable(z.string()),
  dkim: z.nullable(z.string()),
  dmarc: z.nullable(z.string()),
  signers: z.array(z.string()),
  isPostmasters: z.boolean(),
  raw: z.nullable(Raw),
});
export type Inspected = z.infer<typeof Inspected>;

export const selectInspected = (sql: Sql, id: bigint) =>
  maybe(
    Inspected,
    sql`select ${aboutColumns(sql)}, letter.judged_at is not null as "isMatched", letter.is_given as "isGiven",
               letter.is_to_postmaster and not exists (select from recipient where letter_id = letter.id) as "isPostmasters",
               letter.spf, letter.dkim, letter.dmarc, coalesce(letter.dkim_domains, '{}') as signers, stored.raw
        from letter
        left join lateral raw_of(letter.id, letter.arrived_at) stored on true
        where letter.id = ${id}`,
  );
