import postgres from "postgres";
import type { Db } from "./db.ts";
import { dialer, dialOf } from "./db.socket.ts";

/** What a listener reports of its channels. */
export interface ListenerEvents {
  /** Somebody said this, in whichever process, and his transaction is committed. */
  readonly received: (channel: string, payload: string) => void;
  /** The connection broke: what is said from now on is not heard. */
  readonly lost: () => void;
  /** From now on everything is heard; what was said before is unknown. */
  readonly back: () => void;
}

/** A connection of its own that does nothing but hear channels, and that knows whether it hears. */
export interface Listener {
  /** Hears this channel too, on this connection and on those that follow. Resolves when it does, or when the connection is lost. */
  listen(channel: string): Promise<void>;
  unlisten(channel: string): void;
  /** Says something on a channel, over the very connection that hears: hearing it proves that everything said before was heard. */
  notify(channel: string, payload: string): Promise<void>;
  /** Gives the connection up for dead and opens another. */
  restart(): void;
  close(): Promise<void>;
}

const secondsBetween = (failures: number) => Math.min(0.1 * 2 ** failures, 3);

/** Opens a listener. It connects again by itself for as long as it is open, and says so. */
export function openListener(db: Db, { received, lost, back }: ListenerEvents): Listener {
  const channels = new Set<string>();
  let connection: postgres.Sql | undefined;
  let isOpen = true;
  let isListening = false;
  let failures = 0;
  let timer: NodeJS.Timeout | undefined;

  const lose = (which: postgres.Sql | undefined): void => {
    if (which !== connection || which === undefined) return;
    connection = undefined;
    // It is broken or given up: nothing is waited for, and nobody asks how its end went.
    void which.end({ timeout: 0 }).catch(() => undefined);
    if (isListening) lost();
    isListening = false;
    if (isOpen) timer = setTimeout(hear, secondsBetween(failures++) * 1000);
  };
  const hear = (): void => {
    const mine = dedicated(db, received, () => lose(mine));
    connection = mine;
    mine.unsafe(["select 1", ...[...channels].map(listenTo)].join("; ")).then(
      () => {
        if (connection !== mine) return;
        failures = 0;
        isListening = true;
        back();
      },
      () => lose(mine),
    );
  };
  // What cannot be said is said to the next connection, which knows every channel.
  const tell = async (statement: string): Promise<void> => {
    const mine = connection;
    await mine?.unsafe(statement).catch(() => lose(mine));
  };

  hear();
  return {
    listen: (channel) => {
      channels.add(channel);
      return tell(listenTo(channel));
    },
    unlisten: (channel) => {
      if (channels.delete(channel)) void tell(`unlisten "${channel}"`);
    },
    notify: async (channel, payload) => {
      if (!connection || !isListening) throw new Error(`nothing can be said on ${channel}: it is not heard`);
      await connection`select pg_notify(${channel}, ${payload})`;
    },
    restart: () => lose(connection),
    close: async () => {
      isOpen = false;
      clearTimeout(timer);
      const last = connection;
      connection = undefined;
      await last?.end({ timeout: 1 });
    },
  };
}

const listenTo = (channel: string) => `listen "${channel}"`;

// The driver's own `listen` does not say that its connection broke, only that there is a new one. This is how it makes it.
function dedicated(db: Db, received: ListenerEvents["received"], onclose: () => void): postgres.Sql {
  const options = {
    ...db.options,
    max: 1,
    idle_timeout: null,
    max_lifetime: null,
    fetch_types: false,
    socket: dialer(dialOf(db.options)),
    onnotify: received,
    onclose,
  };
  return postgres(options as unknown as postgres.Options<Record<string, postgres.PostgresType>>);
}
