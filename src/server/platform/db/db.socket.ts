import { Socket } from "node:net";

/** Where the driver connects to, as it hands it over. */
interface Target {
  readonly path?: string | false;
  readonly host: readonly string[];
  readonly port: readonly number[];
}

/**
 * A socket that, once the server has spoken, ends without saying why. On an error event the driver rejects what it has
 * sent but takes more on the dying connection until the close event, and what it takes then is never answered: a batcher
 * would wait for ever (porsager/postgres #1130, #1142). On a close without an error it rejects everything in one step.
 */
class EndingSocket extends Socket {
  /** The driver asks for it when it speaks TLS, to check the certificate's name. */
  host: string | undefined;

  override _destroy(fault: Error | null, done: (fault?: Error | null) => void): void {
    // Before the server has spoken the error is the answer: refused, unreachable, no such host.
    super._destroy(this.bytesRead > 0 ? null : fault, done);
  }
}

let turn = 0;

/** A socket on its way to the database, for the driver's option `socket`. Of several hosts each gets its turn. */
export function dial({ path, host, port }: Target): Socket {
  const socket = new EndingSocket();
  // The driver writes a COPY in several small pieces: each would wait 40 ms until the database has acknowledged the one before.
  socket.setNoDelay();
  if (path) return socket.connect(path);
  const index = turn++ % Math.max(1, host.length);
  socket.host = host[index];
  return socket.connect(port[index] ?? 5432, host[index] ?? "localhost");
}
