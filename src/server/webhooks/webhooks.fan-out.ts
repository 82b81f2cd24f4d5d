import { customAlphabet } from "nanoid";
import { isEventName } from "../../contract/event-names.ts";
import type { ShopEvent } from "../../contract/events.ts";
import { type DatedEventRow, type EventRow, isStep, selectEvents } from "../events/events.ts";
import { now } from "../platform/clock.ts";
import type { Db } from "../platform/db/db.ts";
import type { Log } from "../platform/log.ts";
import type { Seal } from "../platform/seal.ts";
import { type Behind, insertDeliveries, type NewDelivery, selectBehind } from "./webhooks.sql.ts";

/** Describes events by their ids; leaves out those whose order or payment is gone. */
export type Describe = (rows: readonly EventRow[]) => Promise<ReadonlyMap<bigint, ShopEvent>>;

interface Parts {
  readonly db: Db;
  readonly seal: Seal;
  readonly describe: Describe;
  readonly log: Log;
}

const batchSize = 100;
const usersAtOnce = 8;

const word = customAlphabet("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", 24);

/** Turns new events into deliveries, once per interested webhook, with the body of every try. Returns whether there were any. */
export async function fanOut(parts: Parts, userIds?: readonly bigint[]): Promise<boolean> {
  const behind = await selectBehind(parts.db, userIds ?? null);
  const users = [...Map.groupBy(behind, ({ userId }) => userId)];
  for (let first = 0; first < users.length; first += usersAtOnce)
    await Promise.all(
      users.slice(first, first + usersAtOnce).map(async ([userId, webhooks]) => {
        try {
          await fanOutOf(parts, userId, webhooks);
        } catch (fault) {
          // Other users' events still go out; these are tried again next time.
          parts.log.error({ err: fault, user: String(userId) }, "events could not be made into deliveries");
        }
      }),
    );
  return users.length > 0;
}

async function fanOutOf(parts: Parts, userId: bigint, webhooks: readonly Behind[]): Promise<void> {
  let left = webhooks;
  while (left.length > 0) {
    const after = left.reduce(
      (least, { sentUpTo }) => (sentUpTo < least ? sentUpTo : least),
      left[0]!.sentUpTo,
    );
    const rows = await selectEvents(parts.db, [{ userId, after }], batchSize);
    const last = rows.at(-1)?.id;
    if (last === undefined) return;
    const described = await parts.describe(rows);
    for (const webhook of left.filter(({ sentUpTo }) => sentUpTo < last)) {
      const wanted = rows.filter(
        ({ id, name, status }) =>
          id > webhook.sentUpTo && isEventName(name) && webhook.events.includes(name) && !isStep(status),
      );
      const made = wanted.flatMap((row) => deliveryOf(parts.seal, row, described.get(row.id)));
      await insertDeliveries(parts.db, webhook, last, made, now());
    }
    if (rows.length < batchSize) return;
    left = left.map((webhook) => (webhook.sentUpTo < last ? { ...webhook, sentUpTo: last } : webhook));
  }
}

function deliveryOf(seal: Seal, { id, at }: DatedEventRow, event: ShopEvent | undefined): NewDelivery[] {
  return event === undefined ? [] : [{ eventId: id, ...messageOf(seal, event.name, event.data, at) }];
}

/** A message with an id of its own (Standard Webhooks, "Payload structure"). */
export function messageOf(seal: Seal, type: string, data: object, at: Date): Omit<NewDelivery, "eventId"> {
  const body = JSON.stringify({ type, timestamp: at.toISOString(), data });
  return { event: type, messageId: `msg_${word()}`, body: seal.seal(body), createdAt: at };
}
