// The buyer's own words for an order.
import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { ActivationId, bounded, IdText, optional, textOf } from "../fields.ts";
import { orderNoteLengthMax } from "../limits.ts";

/** One line: no control characters and no separators of lines. */
const words = bounded(orderNoteLengthMax).check(z.regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u));

export const OrderNote = optional(
  words,
  "note",
  "Your own words for the order, such as whom it is for: lists, files and events tell them, and the search finds them",
  textOf(orderNoteLengthMax),
);
export const NewOrderNote = optional(
  words,
  "note",
  "The new note of the order; without it the order has none",
  textOf(orderNoteLengthMax),
);

/** Of an order in answers and events; absent without a note. */
export const noteShape = { note: z.optional(z.string()) };

export const noteOrder = endpoint({
  name: "noteOrder",
  method: "GET",
  alsoPost: true,
  path: "/email/note",
  access: "user",
  idempotent: true,
  limited: true,
  summary: "Change the note of an activation, or remove it",
  ask: { id: ActivationId, note: NewOrderNote },
  reply: z.object({ id: IdText, ...noteShape }),
  refusals: ["no activation", "note"],
});
