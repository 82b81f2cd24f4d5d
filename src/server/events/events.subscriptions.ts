import type { Db } from "../platform/db/db.ts";
import { type Channels, channelsOf } from "../platform/db/channels.ts";

/** Every transaction that changes a user's balance, lists, letters or payments says his id here (db/functions, `tell`). */
const channel = "changes";

/** Told whose something changed; undefined when it may be anybody's. */
export type OnChange = (userIds: readonly bigint[] | undefined) => void;

/** What this process hears of changes, in all processes on its database. */
export interface Subscriptions {
  /** Whether every change is heard now. Otherwise nothing that was remembered may be believed. */
  isCurrent(): boolean;
  /** From now on `heard` is told of every change. While hearing is uncertain it is told again and again that anybody may have changed. */
  subscribe(onChange: OnChange): void;
  close(): Promise<void>;
}

/** Begins to hear. */
export async function openSubscriptions(db: Db, channels: Channels = channelsOf(db)): Promise<Subscriptions> {
  const subscribers = new Set<OnChange>();
  const tell: OnChange = (userIds) => {
    for (const onChange of subscribers) onChange(userIds);
  };
  const doubt = () => tell(undefined);
  const close = await channels.subscribe(channel, {
    received: (payload) => {
      if (/^\d+(,\d+)*$/.test(payload)) tell(payload.split(",").map(BigInt));
    },
    lost: doubt,
    back: doubt,
    unsure: doubt,
  });
  return {
    isCurrent: () => channels.isCurrent(),
    subscribe: (onChange) => void subscribers.add(onChange),
    close,
  };
}
