// Beyond the specification: what a buyer asks the shop about an order or a payment.
import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { bounded, field, id, IdText, Offset, optional, textOf, UnixSeconds, wireId } from "../fields.ts";
import { questionLengthMax } from "../limits.ts";

export const questionTopics = ["no_letter", "wrong_letter", "not_credited", "other"] as const;

export const QuestionOrder = optional(wireId, "no activation", "Id of the activation that it is about", id);
export const QuestionPayment = optional(wireId, "no payment", "Id of the payment that it is about", id);
export const QuestionTopic = field(z.literal(questionTopics), "request", "What is wrong", {
  kind: "choice",
  of: questionTopics,
});
export const QuestionText = field(
  bounded(questionLengthMax),
  "request",
  `The question, at most ${questionLengthMax} characters`,
  textOf(questionLengthMax),
);

/** `answer` and `answered_at` once the shop has answered. */
export const Question = z.object({
  id: IdText,
  activation_id: z.optional(IdText),
  payment_id: z.optional(IdText),
  topic: z.literal(questionTopics),
  text: z.string(),
  asked_at: UnixSeconds,
  answer: z.optional(z.string()),
  answered_at: z.optional(UnixSeconds),
});

export const askQuestion = endpoint({
  name: "askQuestion",
  method: "POST",
  path: "/user/questions/add",
  access: "user",
  summary: "Ask the shop about one of your activations or payments; the answer comes by email, too",
  ask: {
    activation_id: QuestionOrder,
    payment_id: QuestionPayment,
    topic: QuestionTopic,
    text: QuestionText,
  },
  reply: z.object({ question: Question }),
  refusals: ["no activation", "no payment", "request", "question limit"],
});

export const questions = endpoint({
  name: "questions",
  method: "GET",
  path: "/user/questions",
  access: "user",
  summary: "Your questions with their answers, newest first, ten per page; or those about one thing",
  ask: { offset: Offset, activation_id: QuestionOrder, payment_id: QuestionPayment },
  reply: z.object({ data: z.array(Question), next_page: z.boolean() }),
  refusals: ["offset", "no activation", "no payment"],
});
