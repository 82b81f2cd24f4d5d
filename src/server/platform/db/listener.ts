import postgres from "postgres";
import type { Db } from "./db.ts";

/** What a listener reports. */
export interface ListenerEvents {
  /** Somebody said this, in whichever process, and his transaction is committed. */
  readonly received: (payload: string) => void;
  /** The connection broke: what is said from now on is not heard. */
  readonly lost: () => void;
  /** From now on everything is heard; what was said before is unknown. */
  readonly back: () => void;
}

/** A connection of its own that does nothing but hear one channel, and that knows whether it hears. */
export interface Listener {
  /** Says something on the channel, over the very connection that hears: hearing it proves that everything said before was heard. */
  notify(payload: string): Promise<void>;
  /** Gives the connection up for dead and opens another. */
  restart(): void;
  close(): Promise<void>;
}

const secondsBetween = (failures: number) => Math.min(0.1 * 2 ** failures, 3);

/** Opens a listener. It connects again by itself for as long as it is open, and says so. */
export function openListener(db: Db, channel: string, { received, lost, back }: ListenerEvents): Listener {
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
    if (isOpen) timer = setTimeout(listen, secondsBetween(failures++) * 1000);
  };
  const listen = (): void => {
    const mine = dedicated(db, received, () => lose(mine));
    connection = mine;
    mine.unsafe(`listen "${channel}"`).then(
      () => {
        if (connection !== mine) return;
        failures = 0;
        isListening = true;
        back();
      },
      () => lose(mine),
    );
  };

  listen();
  return {
    notify: async (payload) => {
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

// The driver's own `listen` does not say that its connection broke, only that there is a new one. This is how it makes it.
function dedicated(db: Db, received: ListenerEvents["received"], onclose: () => void): postgres.Sql {
  const options = {
    ...db.options,
    max: 1,
    idle_timeout: null,
    max_lifetime: null,
    fetch_types: false,
    onnotify: (_channel: string, payload: string) => received(payload),
    onclose,
  };
  return postgres(options as unknown as postgres.Options<Record<string, postgres.PostgresType>>);
}
