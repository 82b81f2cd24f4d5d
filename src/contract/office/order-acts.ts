import * as z from "zod/mini";
import { bounded, DollarText, field, id, textOf, wireId } from "../fields.ts";
import { questionLengthMax } from "../limits.ts";
import { act } from "./act.ts";
import { Reason } from "./people-acts.ts";

const cancelOrder = act({
  name: "cancelOrder",
  path: "/api/admin/orders/cancel",
  role: "support",
  proof: true,
  reason: "always",
  summary: "Cancel an order that waits for its letter: the buyer is refunded at once (administrators)",
  ask: { id: field(wireId, "no waiting order", "Id of the order", id), reason: Reason },
  reply: z.object({ price: DollarText }),
  refusals: ["no waiting order", "reason"],
  commands: {
    "orders cancel <id>": {
      about: "cancels an order that waits for its letter: refunds the buyer",
      done: "The order {id} is canceled; the buyer has {price} dollars back.",
      undo: false,
    },
  },
});

const answerQuestion = act({
  name: "answerQuestion",
  path: "/api/admin/questions/answer",
  role: "support",
  proof: false,
  reason: "never",
  summary:
    "Answer a buyer’s question about an order or a payment; the answer goes by email, too (administrators)",
  ask: {
    id: field(wireId, "no question", "Id of the question", id),
    answer: field(bounded(questionLengthMax), "request", "What the buyer reads", textOf(questionLengthMax)),
  },
  reply: z.object({ email: z.string() }),
  refusals: ["no question", "question answered", "request"],
  commands: {
    "questions answer <id> <answer>": {
      about: "answers a buyer's question",
      done: "The answer goes to {email}.",
      undo: false,
    },
  },
});

export const orderActs = { cancelOrder, answerQuestion };
