import { askQuestion, questions } from "../../contract/account/questions.ts";
import { unixSeconds } from "../platform/clock.ts";
import type { Db } from "../platform/db/db.ts";
import { answer, type Route } from "../platform/http/answer.ts";
import { ask, list, type QuestionRow } from "./questions.ts";

export function questionRoutes({ db }: { db: Db }): Route[] {
  return [
    answer(askQuestion, async ({ asked, caller, refuse }) => {
      const { activation_id: orderId, payment_id: paymentId, topic, text } = asked;
      const done = await ask(db, { userId: caller.userId, orderId, paymentId, topic, text });
      return typeof done === "string" ? refuse(done) : { question: onWire(done) };
    }),
    answer(questions, async ({ asked, caller }) => {
      const { activation_id: orderId, payment_id: paymentId, offset: page = 1 } = asked;
      const found = await list(db, caller.userId, { orderId, paymentId, page });
      return { data: found.questions.map(onWire), next_page: found.hasMore };
    }),
  ];
}

function onWire({
  id,
  orderId,
  paymentId,
  topic,
  text,
  askedAt,
  answer: answerText,
  answeredAt,
}: QuestionRow) {
  return {
    id: String(id),
    ...(orderId !== null && { activation_id: String(orderId) }),
    ...(paymentId !== null && { payment_id: String(paymentId) }),
    topic,
    text,
    asked_at: unixSeconds(askedAt),
    ...(answerText !== null &&
      answeredAt !== null && { answer: answerText, answered_at: unixSeconds(answeredAt) }),
  };
}
