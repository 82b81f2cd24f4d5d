import { type Dial, type Link, openLink } from "./db.link.ts";
import { sqlOf } from "./db.query.ts";

/** The pool whose server is listened to. */
export interface Pool {
  readonly dial: Dial;
}

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
export function openListener(db: Pool, { received, lost, back }: ListenerEvents): Listener {
  const channels = new Set<string>();
  let connection: Link | undefined;
  let [isOpen, isListening] = [true, false];
  let failures = 0;
  let timer: NodeJS.Timeout | undefined;
  let given = new AbortController();

  // Broken or given up: nothing is waited for.
  const lose = (which: AbortController): void => {
    if (which !== given) return;
    given = new AbortController();
    connection = undefined;
    which.abort();
    if (isListening) lost();
    isListening = false;
    if (isOpen) timer = setTimeout(() => void hear(), secondsBetween(failures++) * 1000);
  };
  const hear = async (): Promise<void> => {
    const mine = given;
    try {
      const link = await openLink(db.dial, { heard: received, ended: () => lose(mine), signal: mine.signal });
      if (mine === given) connection = link;
      await sqlOf(link).unsafe([...[...channels].map(listenTo), "select 1"].join("; "));
    } catch {
      return lose(mine);
    }
    if (mine !== given) return;
    failures = 0;
    isListening = true;
    back();
  };
  // What cannot be said is said to the next connection, which knows every channel.
  const tell = async (statement: string): Promise<void> => {
    const mine = given;
    if (connection)
      await sqlOf(connection)
        .unsafe(statement)
        .catch(() => lose(mine));
  };

  void hear();
  return {
    listen: (channel) => {
      channels.add(channel);
      return tell(listenTo(channel));
    },
    unlisten: (channel) => void (channels.delete(channel) && tell(`unlisten "${channel}"`)),
    notify: async (channel, payload) => {
      if (!connection || !isListening) throw new Error(`nothing can be said on ${channel}: it is not heard`);
      await sqlOf(connection)`select pg_notify(${channel}, ${payload})`;
    },
    restart: () => lose(given),
    close: async () => {
      isOpen = false;
      clearTimeout(timer);
      const [last, mine] = [connection, given];
      given = new AbortController();
      await endSoon(last, mine);
    },
  };
}

/** For the answer to what was said last. */
const closeMs = 1_000;

async function endSoon(link: Link | undefined, given: AbortController): Promise<void> {
  const late = setTimeout(() => given.abort(), closeMs);
  if (link) await link.end();
  else given.abort();
  clearTimeout(late);
}

const listenTo = (channel: string) => `listen "${channel}"`;
