import { z } from "zod/mini";
import { questionTopics } from "../../contract/account/questions.ts";
import { all, maybe, one, type Sql, type Tx } from "../platform/db/db.ts";

export const QuestionRow = z.object({
  id: z.bigint(),
  orderId: z.nullable(z.bigint()),
  paymentId: z.nullable(z.bigint()),
  topic: z.enum(questionTopics),
  text: z.string(),
  askedAt: z.date(),
  answer: z.nullable(z.string()),
  answeredAt: z.nullable(z.date()),
});
export type QuestionRow = z.infer<typeof QuestionRow>;

/** Of one of them. */
export interface Thing {
  readonly orderId?: bigint | undefined;
  readonly paymentId?: bigint | undefined;
}

const columns = (sql: Sql) => sql`
  id, order_id as "orderId", payment_id as "paymentId", topic, text, asked_at as "askedAt", answer, answered_at as "answeredAt"`;

/** Until the transaction ends nobody else asks for the account. */
export const lockAsker = (tx: Tx, userId: bigint) =>
  tx`select from users where id = ${userId} for no key update`;

export const selectStanding = (sql: Sql, userId: bigint, { orderId, paymentId }: Thing) =>
  one(
    z.object({ open: z.int(), hasOrder: z.boolean(), hasPayment: z.boolean() }),
    sql`select (select count(*) from question where user_id = ${userId} and answered_at is null)::integer as open,
               exists (select from orders where id = ${orderId ?? 0n} and user_id = ${userId}) as "hasOrder",
               exists (select from payment where id = ${paymentId ?? 0n} and user_id = ${userId}) as "hasPayment"`,
  );

export const insertQuestion = (
  tx: Tx,
  { userId, orderId, paymentId, topic, text }: Thing & { userId: bigint; topic: string; text: string },
) =>
  one(
    QuestionRow,
    tx`insert into question (user_id, order_id, payment_id, topic, text)
       values (${userId}, ${orderId ?? null}, ${paymentId ?? null}, ${topic}, ${text}) returning ${columns(tx)}`,
  );

export const selectQuestions = (
  sql: Sql,
  userId: bigint,
  { orderId, paymentId, skip, size }: Thing & { skip: number; size: number },
) =>
  all(
    QuestionRow,
    sql`select ${columns(sql)} from question
        where user_id = ${userId}
          and (${orderId ?? null}::bigint is null or order_id = ${orderId ?? null})
          and (${paymentId ?? null}::bigint is null or payment_id = ${paymentId ?? null})
        order by id desc offset ${skip} limit ${size}`,
  );

export const lockQuestion = (tx: Tx, id: bigint) =>
  maybe(
    z.extend(QuestionRow, { userId: z.bigint(), email: z.string(), language: z.string() }),
    tx`select ${columns(tx)}, user_id as "userId", email, language
       from question join (select id as user_id, email, language from users) asker using (user_id)
       where id = ${id} for no key update of question`,
  );

export const setAnswer = (tx: Tx, id: bigint, answer: string) =>
  tx`update question set answer = ${answer}, answered_at = clock_timestamp() where id = ${id}`;

export const deleteQuestions = (tx: Tx, userId: bigint) => tx`delete from question where user_id = ${userId}`;
