import type { z } from "zod/mini";
import { noteOrder } from "../../../contract/orders/notes.ts";
import { chooseCode, releaseLetter } from "../../../contract/orders.ts";
import { timeline, type TimelineStep } from "../../../contract/orders/timeline.ts";
import { officeOrder } from "../../../contract/office/objects.ts";
import { answer, otherSite, type Route } from "../../platform/http/answer.ts";
import { now, unixSeconds } from "../../platform/clock.ts";
import { attempt, type Db } from "../../platform/db/db.ts";
import { showUsd } from "../../platform/money.ts";
import { isOfOtherSite } from "../orders.buying.ts";
import { choose } from "../orders.choices.ts";
import { readLetter } from "../orders.routes.ts";
import { release, timelineOf, type Step, wholeTimeline } from "./timeline.ts";
import { found, noted } from "../orders.wire.ts";
import { saveNote } from "../orders.sql.ts";

export function timelineRoutes({ db }: { readonly db: Db }): Route[] {
  return [
    answer(timeline, async ({ asked, caller, refuse }) => {
      if (await isOfOtherSite(db, caller, asked.id)) return otherSite();
      const steps = await timelineOf(db, { userId: caller.userId, orderId: asked.id });
      return steps ? { data: steps.map(replyOf) } : refuse("no activation");
    }),

    answer(officeOrder, async ({ asked: { id }, refuse }) => {
      const found = await wholeTimeline(db, id);
      if (!found) return refuse("no activation");
      const { steps, expiresAt, subject, regex, reorderOf, batchId } = found;
      return {
        data: steps.map(replyOf),
        expires_at: unixSeconds(expiresAt),
        ...(subject !== null && { subject }),
        ...(regex !== null && { regex }),
        ...(reorderOf !== null && { reorder_of: String(reorderOf) }),
        ...(batchId !== null && { batch: String(batchId) }),
      };
    }),

    answer(releaseLetter, async ({ asked, caller, refuse }) => {
      if (await isOfOtherSite(db, caller, asked.id)) return otherSite();
      const given = await release(db, { userId: caller.userId, orderId: asked.id }, asked.letter);
      if (typeof given === "string") return refuse(given);
      return readLetter(given, { pictures: "carried", messages: given.messages });
    }),

    answer(noteOrder, async ({ asked: { id: orderId, note }, caller, refuse }) => {
      if (await isOfOtherSite(db, caller, orderId)) return otherSite();
      const order = { userId: caller.userId, orderId };
      const isOwn = await attempt(db, (tx) => saveNote(tx, order, note ?? null));
      return isOwn ? { id: String(orderId), ...noted({ note: note ?? null }) } : refuse("no activation");
    }),

    answer(chooseCode, async ({ asked, caller, refuse }) => {
      if (await isOfOtherSite(db, caller, asked.id)) return otherSite();
      const { id: orderId, letter: letterId, code } = asked;
      const chosen = await choose(db, { userId: caller.userId, orderId, letterId, code, at: now() });
      if (typeof chosen === "string") return refuse(chosen);
      return { letter_id: String(chosen.letterId), ...found(chosen) };
    }),
  ];
}

function replyOf(step: Step): z.input<typeof TimelineStep> {
  const at = unixSeconds(step.at);
  switch (step.step) {
    case "ordered":
    case "charged":
    case "refunded":
      return { at, step: step.step, amount: showUsd(step.amount) };
    case "canceled":
    case "expired":
      return { at, step: step.step, ...(step.byShop && { by: "shop" as const }) };
    case "released":
      return { at, step: step.step, letter_id: String(step.letterId) };
    case "letter":
      return { at, step: step.step, ...wireLetter(step) };
  }
}

function wireLetter({ letter, missed, isReleasable }: Extract<Step, { step: "letter" }>) {
  return {
    fits: missed === null,
    ...(missed !== null && { missed }),
    ...(letter && { letter_id: String(letter.letterId), sender: letter.sender, subject: letter.subject }),
    ...(isReleasable && { releasable: true }),
  };
}
