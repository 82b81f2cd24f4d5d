import { ordersOfAddress, type Step, wholeTimeline } from "../orders/timeline/timeline.ts";
import type { Db } from "../platform/db/db.ts";
import { idsOf } from "../platform/ids.ts";
import { showUsd, type Usd } from "../platform/money.ts";
import { type Act, type Answer, list, ok, refused, showTime, table } from "./answer.ts";
import type { Nouns } from "./nouns.ts";
import { readId } from "./read.ts";

/** Of one address: more than a mailbox is ever sold. */
const listMax = 100;

export function addOrderCommands({ noun, verb }: Nouns): void {
  verb(
    noun("orders", "addresses that buyers ordered"),
    "show <id|address>",
    "shows an order and what happened to it; of an address the newest one, and the ids of those before",
    (shown: string) => (shown.includes("@") ? showOfAddress(shown) : show(readId(shown))),
  );
}

function showOfAddress(address: string): Act {
  return async ({ db }) => {
    const [newest, ...before] = await ordersOfAddress(db, address, listMax);
    if (newest === undefined) return refused(`Nobody has ordered ${address}.`);
    const shown = await answerOf(db, newest);
    if (before.length === 0) return shown;
    const ids = before.map(idsOf(db).show);
    const text = `${shown.text}\n\nOrders of the address before: ${ids.join(", ")}.`;
    return ok({ ...(shown.json as object), before: ids }, text);
  };
}

const show =
  (shownId: bigint): Act =>
  ({ db }) =>
    answerOf(db, idsOf(db).read(shownId));

async function answerOf(db: Db, id: bigint): Promise<Answer> {
  const tell = idsOf(db).show;
  const shownId = tell(id);
  const order = await wholeTimeline(db, id);
  if (!order) return refused(`There is no order ${shownId}.`);
  const { userId, email, site, status, price, expiresAt, subject, regex, reorderOf, batchId, steps } = order;
  const facts = list({
    order: shownId,
    "in the log": String(id),
    user: String(userId),
    address: email,
    site,
    state: status,
    price: showUsd(price as Usd),
    expires: showTime(expiresAt),
    ...(subject !== null && { "subject has": subject }),
    ...(regex !== null && { "code by": regex }),
    ...(reorderOf !== null && { "again after": tell(reorderOf) }),
    ...(batchId !== null && { batch: String(batchId) }),
  });
  const happened = table(
    steps,
    [
      { title: "when", of: ({ at }) => showTime(at) },
      { title: "what", of: stepText },
    ],
    "Nothing has happened to it yet.",
  );
  return ok(
    {
      ...order,
      id: shownId,
      reorderOf: reorderOf && tell(reorderOf),
      price: showUsd(price as Usd),
      steps: steps.map((step) => wire(step, tell)),
    },
    `${facts}\n\n${happened}`,
  );
}

const whyMissed = {
  sender: "its sender is not of the site",
  subject: "the wanted word is not in its subject",
  regex: "the wanted pattern finds no code in it",
};

function stepText(step: Step): string {
  switch (step.step) {
    case "ordered":
    case "charged":
    case "refunded":
      return `${step.step}; ${showUsd(step.amount)} dollars`;
    case "canceled":
    case "expired":
      return step.byShop ? `${step.step} by the shop` : step.step;
    case "released":
      return "the buyer took the letter that did not match";
    case "letter":
      return [
        step.missed === null ? "a letter was delivered" : `a letter did not match: ${whyMissed[step.missed]}`,
        ...(step.letter ? [`from ${step.letter.sender || "(no sender)"}`, step.letter.subject] : []),
      ].join("; ");
  }
}

/** With amounts in dollars, and ids as `letters show` reads them. */
function wire(step: Step, tell: (id: bigint) => string): object {
  if ("amount" in step) return { ...step, amount: showUsd(step.amount) };
  if (step.step === "released") return { ...step, letterId: tell(step.letterId) };
  if (step.step !== "letter" || step.letter === undefined) return step;
  return { ...step, letter: { ...step.letter, letterId: tell(step.letter.letterId) } };
}
