import postgres from "postgres";
import type { Db } from "./db.ts";

/** What an ear tells of a channel. */
export interface Listener {
  /** Somebody said this, in whichever process, and his transaction is committed. */
  readonly told: (payload: string) => void;
  /** The connection broke: what is said from now on is not heard. */
  readonly lost: () => void;
  /** From now on everything is heard; what was said before is unknown. */
  readonly back: () => void;
}

/** A connection of its own that does nothing but hear one channel, and that knows whether it hears. */
export interface Ear {
  /** Says something on the channel, over the very connection that hears: hearing it proves that everything said before was heard. */
  say(payload: string): Promise<void>;
  /** Gives the connection up for dead and opens another. */
  restart(): void;
  close(): Promise<void>;
}

const secondsBetween = (failures: number) => Math.min(0.1 * 2 ** failures, 3);

/** Opens an ear. It connects again by itself for as long as it is open, and says so. */
export function openEar(db: Db, channel: string, { told, lost, back }: Listener): Ear {
  let connection: postgres.Sql | undefined;
  let isOpen = true;
  let isHearing = false;
  let failures = 0;
  let timer: NodeJS.Timeout | undefined;

  const lose = (which: postgres.Sql | undefined): void => {
    if (which !== connection || which === undefined) return;
    connection = undefined;
    // It is broken or given up: nothing is waited for, and nobody asks how its end went.
    void which.end({ timeout: 0 }).catch(() => undefined);
    if (isHearing) lost();
    isHearing = false;
    if (isOpen) timer = setTimeout(listen, secondsBetween(failures++) * 1000);
  };
  const listen = (): void => {
    const mine = dedicated(db, told, () => lose(mine));
    connection = mine;
    mine.unsafe(`listen "${channel}"`).then(
      () => {
        if (connection !== mine) return;
        failures = 0;
        isHearing = true;
        back();
      },
      () => lose(mine),
    );
  };

  listen();
  return {
    say: async (payload) => {
      if (!connection || !isHearing) throw new Error(`nothing can be said on ${channel}: it is not heard`);
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
function dedicated(db: Db, told: Listener["told"], onclose: () => void): postgres.Sql {
  const options = {
    ...db.options,
    max: 1,
    idle_timeout: null,
    max_lifetime: null,
    fetch_types: false,
    onnotify: (_channel: string, payload: string) => told(payload),
    onclose,
  };
  return postgres(options as unknown as postgres.Options<Record<string, postgres.PostgresType>>);
}
