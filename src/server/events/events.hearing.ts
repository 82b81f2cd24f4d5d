import type { Db } from "../kit/db.ts";
import { type Subscriptions, subscriptionsOf } from "../kit/subscriptions.ts";

/** Every transaction that changes a user's balance, lists, letters or payments says his id here (db/functions, `tell`). */
const channel = "changes";

/** Told whose something changed; undefined when it may be anybody's. */
export type Heard = (userIds: readonly bigint[] | undefined) => void;

/** What this process hears of changes, in all processes on its database. */
export interface Hearing {
  /** Whether every change is heard now. Otherwise nothing that was remembered may be believed. */
  isSure(): boolean;
  /** From now on `heard` is told of every change. While hearing is uncertain it is told again and again that anybody may have changed. */
  listen(heard: Heard): void;
  close(): Promise<void>;
}

/** Begins to hear. */
export async function openHearing(
  db: Db,
  subscriptions: Subscriptions = subscriptionsOf(db),
): Promise<Hearing> {
  const told = new Set<Heard>();
  const tell: Heard = (userIds) => {
    for (const heard of told) heard(userIds);
  };
  const doubt = () => tell(undefined);
  const close = await subscriptions.add(channel, {
    told: (payload) => {
      if (/^\d+(,\d+)*$/.test(payload)) tell(payload.split(",").map(BigInt));
    },
    lost: doubt,
    back: doubt,
    unsure: doubt,
  });
  return { isSure: () => subscriptions.isSure(), listen: (heard) => void told.add(heard), close };
}
