import { Socket } from "node:net";
import { isReplaced, type Writer } from "./db.hosts.ts";

/** Where the driver connects to, as it hands it over. */
interface Target {
  readonly path?: string | false;
  readonly host: readonly string[];
  readonly port: readonly number[];
}

const keepAliveMs = 10_000;
/** After so long a silence, and again each time, is asked whether another server has taken over: where one has, nothing is waited for. */
const askMs = 2_000;

/** SQLSTATE read_only_sql_transaction: the shop writes in no other than a transaction that may. */
const readOnly = "25006";

/** Every socket that is open, to end together those that lost the same server. */
const open = new Set<EndingSocket>();

/**
 * A socket that, once the server has spoken, ends without saying why. On an error event the driver rejects what it has
 * sent but takes more on the dying connection until the close event, and what it takes then is never answered: a batcher
 * would wait for ever (porsager/postgres #1130, #1142). On a close without an error it rejects everything in one step.
 */
class EndingSocket extends Socket {
  /** The driver asks for it when it speaks TLS, to check the certificate's name. */
  host: string | undefined;
  /** The server that it leads to, where it was chosen of several. */
  writer: Writer | undefined;
  /** Set by the driver (patches/): whether an answer is awaited. */
  isAwaited: (() => boolean) | undefined;
  /** Since when an answer is awaited and nothing comes. */
  #silentSince = performance.now();
  /** A shorter deadline than its own, because another socket to the same server was silent for so long; until the next byte. */
  #hurryMs = Number.POSITIVE_INFINITY;

  override _destroy(fault: Error | null, done: (fault?: Error | null) => void): void {
    // Before the server has spoken the error is the answer: refused, unreachable, no such host.
    super._destroy(this.bytesRead > 0 ? null : fault, done);
  }

  constructor() {
    super();
    open.add(this);
    this.once("close", () => open.delete(this));
  }

  /** Called by the driver (patches/) with the code of each error that the server answers. */
  refused(code: string): void {
    // It was the primary and is a standby now: left open, each of its connections would refuse every write for good.
    if (code !== readOnly) return;
    const leave = () => endAll(this, () => true);
    // The end of this answer may come in a piece of its own, and before it the driver tells nobody of the error.
    setImmediate(() => (this.isAwaited?.() ? this.once("data", () => setImmediate(leave)) : leave()));
  }

  silentMs(): number {
    return this.isAwaited?.() ? performance.now() - this.#silentSince : 0;
  }

  /**
   * Whether it is to end when another socket to the same server was silent for so long: it was so too, or is asked nothing, so that
   * nothing is lost. One that waits for less is held to the same deadline from now on, whatever its own is.
   */
  hasLostPath(milliseconds: number): boolean {
    this.#hurryMs = milliseconds;
    return this.isAwaited !== undefined && (!this.isAwaited() || this.silentMs() > milliseconds);
  }

  /**
   * Ends the socket when an answer is awaited and not a byte comes for so long. A path that is broken without a word is noticed by
   * nobody else: keepalive is answered by a proxy, and the server's own time-outs are said over the same path.
   */
  endWhenSilent(milliseconds: number, find: Dial["find"]): void {
    let read = 0;
    let checkedAt = performance.now();
    const check = (): void => {
      const now = performance.now();
      // This process itself may have stood still: then the answers lie in the socket, unread.
      const hasSlept = now - checkedAt > milliseconds / 2;
      if (hasSlept || this.bytesRead !== read || !this.isAwaited?.()) this.#silentSince = now;
      if (this.bytesRead !== read) this.#hurryMs = Number.POSITIVE_INFINITY;
      read = this.bytesRead;
      checkedAt = now;
      const deadline = Math.min(milliseconds, this.#hurryMs);
      if (find && this.silentMs() > askMs) lookFor(find, now);
      if (this.silentMs() > deadline) endAll(this, (other) => other.hasLostPath(deadline));
    };
    const timer = setInterval(check, Math.min(1000, milliseconds / 5)).unref();
    this.once("close", () => clearInterval(timer));
  }
}

/** Ends the sockets to the server of `found` for which `isLost`. */
function endAll({ host, remotePort }: EndingSocket, isLost: (socket: EndingSocket) => boolean): void {
  for (const other of open)
    if (other.host === host && other.remotePort === remotePort && isLost(other)) other.destroy();
}

/**
 * Ends the sockets to servers that a newer primary has replaced, those that are being opened too. Whoever reads on one connection and
 * writes on another would else read what is no longer so: letters found no order, and were nobody's. Called before the first connection
 * to a newer one is made.
 */
function endReplaced(): void {
  const replaced = [...open].filter(({ writer }) => writer && isReplaced(writer));
  // In the next turn, when the driver hears the end of each: long before the new connection is greeted.
  if (replaced.length > 0) setImmediate(() => replaced.forEach((socket) => socket.destroy()));
}

const lookedAt = new WeakMap<NonNullable<Dial["find"]>, number>();

/** Looks for a newer primary, once for all sockets of a pool. */
function lookFor(find: NonNullable<Dial["find"]>, now: number): void {
  if (now - (lookedAt.get(find) ?? Number.NEGATIVE_INFINITY) < askMs) return;
  lookedAt.set(find, now);
  find().then(endReplaced, () => undefined);
}

/** How a pool's sockets are made. */
export interface Dial {
  /** Names the host, where several are to choose from. */
  readonly find?: (() => Promise<Writer>) | undefined;
  /** So long a socket that is owed an answer may hear nothing. */
  readonly silenceMs?: number | undefined;
}

const dials = new WeakMap<object, Dial>();

/** Notes how the sockets of a pool are made, by its options, for other connections to the same database. */
export const noteDial = (options: object, dial: Dial): void => void dials.set(options, dial);
export const dialOf = (options: object): Dial => dials.get(options) ?? {};

/** Makes sockets for the driver's option `socket`. */
export function dialer({ find, silenceMs }: Dial) {
  return async ({ path, host: [host = "localhost"], port: [port = 5432] }: Target): Promise<Socket> => {
    const socket = new EndingSocket();
    // The driver writes a COPY in several small pieces: each would wait 40 ms until the database has acknowledged the one before.
    socket.setNoDelay();
    socket.setKeepAlive(true, keepAliveMs);
    if (silenceMs !== undefined) socket.endWhenSilent(silenceMs, find);
    if (path) return socket.connect(path);
    const found = await find?.().catch((fault: Error) => fault);
    // The driver forgets a connection whose socket could not be made, so it gets one that fails.
    if (found instanceof Error) {
      setImmediate(() => socket.destroy(found));
      return socket;
    }
    socket.writer = found;
    socket.host = found?.host ?? host;
    endReplaced();
    return socket.connect(found?.port ?? port, socket.host);
  };
}
