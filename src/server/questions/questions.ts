// What buyers ask about an order or a payment, and what the shop answers.
import { openQuestionsMax, pageSize } from "../../contract/limits.ts";
import { attempt, type Db, type Tx } from "../platform/db/db.ts";
import type { Seal } from "../platform/seal.ts";
import * as journal from "../journal/journal.ts";
import { queue } from "../mailer/mailer.ts";
import * as rows from "./questions.sql.ts";

export type { QuestionRow } from "./questions.sql.ts";

export interface Asked extends rows.Thing {
  readonly userId: bigint;
  readonly topic: rows.QuestionRow["topic"];
  readonly text: string;
}

export type NotAsked = "request" | "no activation" | "no payment" | "question limit";

/** Asks about an order or a payment of the account. "request": about neither, or both. "question limit": too many without an answer. */
export async function ask(db: Db, asked: Asked): Promise<rows.QuestionRow | NotAsked> {
  const { userId, orderId, paymentId } = asked;
  if ((orderId === undefined) === (paymentId === undefined)) return "request";
  return attempt(db, async (tx) => {
    await rows.lockAsker(tx, userId);
    const { open, hasOrder, hasPayment } = await rows.selectStanding(tx, userId, asked);
    if (orderId !== undefined && !hasOrder) return "no activation";
    if (paymentId !== undefined && !hasPayment) return "no payment";
    if (open >= openQuestionsMax) return "question limit";
    return rows.insertQuestion(tx, asked);
  });
}

/** A page of the account's questions, newest first; of one order or payment, if it is named. */
export async function list(
  db: Db,
  userId: bigint,
  { page, ...thing }: rows.Thing & { page: number },
): Promise<{ questions: rows.QuestionRow[]; hasMore: boolean }> {
  const found = await rows.selectQuestions(db, userId, {
    ...thing,
    skip: (page - 1) * pageSize,
    size: pageSize + 1,
  });
  return { questions: found.slice(0, pageSize), hasMore: found.length > pageSize };
}

/** Answers a question, and writes the asker a mail with it. `by`: for the journal. */
export async function answer(
  { db, seal }: { db: Db; seal: Seal },
  { id, text, by }: { id: bigint; text: string; by: string },
): Promise<{ email: string } | "no question" | "question answered"> {
  return attempt(db, async (tx) => {
    const question = await rows.lockQuestion(tx, id);
    if (!question) return "no question";
    if (question.answer !== null) return "question answered";
    await rows.setAnswer(tx, id, text);
    const { userId, email, language, orderId, paymentId } = question;
    const about = orderId === null ? `№${paymentId}` : `#${orderId}`;
    await queue(
      tx,
      seal,
      { to: email, kind: "answer", language, values: { about, answer: text } },
      { userId },
    );
    await journal.note(tx, {
      by,
      did: "questions answer",
      about: `question ${id}`,
      after: { answered: true },
    });
    return { email };
  });
}

/** The account is closed: what its owner asked goes with it. */
export async function forgetUser(tx: Tx, userId: bigint): Promise<void> {
  await rows.deleteQuestions(tx, userId);
}
