import type { Db } from "../platform/db/db.ts";
import { type Channels, channelsOf } from "../platform/db/channels.ts";

/** Each transaction that changes a user's balance, lists, letters or payments notifies the user's id here (db/functions, `tell`). */
const channel = "changes";

/** Undefined: any user may have changed. */
export type OnChange = (userIds: readonly bigint[] | undefined) => void;

export interface Subscriptions {
  /** Whether notifications arrive now; caches are invalid otherwise. */
  isCurrent(): boolean;
  /** Calls `onChange` at each change; while notifications may be lost, repeatedly with undefined. */
  subscribe(onChange: OnChange): void;
  close(): Promise<void>;
}

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
