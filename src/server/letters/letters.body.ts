import type { SMTPServerDataStream } from "smtp-server";

/** How much of all letters that are being received may be in memory at once. */
export interface Room {
  take(bytes: number): boolean;
  give(bytes: number): void;
}

/** Makes the room that all connections share. */
export function roomFor(bytesMax: number): Room {
  let free = bytesMax;
  return {
    take(bytes) {
      if (bytes > free) return false;
      free -= bytes;
      return true;
    },
    give(bytes) {
      free += bytes;
    },
  };
}

export type Body =
  | { raw: Buffer; release: () => void }
  /** `size`: longer than announced; `room`: no memory for it now; `gone`: the sender hung up in the middle. */
  | { missing: "size" | "room" | "gone" };

const firstBytes = 16 * 1024;

/**
 * Reads one letter from the connection into one buffer and takes its place in `room` until `release` is called.
 * What is too long, or has no room, is read on and dropped, because the sender looks for the answer only at the end.
 * `onExcess` is told each time when more came of a letter that is already too long.
 */
export function receive(
  stream: SMTPServerDataStream,
  room: Room,
  onExcess: (bytes: number) => void,
): Promise<Body> {
  let buffer = Buffer.alloc(0);
  let used = 0;
  let missing: "size" | "room" | undefined;

  const drop = (why: "size" | "room") => {
    missing = why;
    room.give(buffer.length);
    buffer = Buffer.alloc(0);
  };
  const add = (chunk: Buffer) => {
    const needed = used + chunk.length;
    // One buffer that doubles, not a list of chunks: a sender of single bytes would make a list cost more than the letter.
    if (needed > buffer.length) {
      const lengths = [Math.max(firstBytes, buffer.length * 2, needed), needed];
      const length = lengths.find((bytes) => room.take(bytes - buffer.length));
      if (length === undefined) return drop("room");
      const grown = Buffer.allocUnsafeSlow(length);
      buffer.copy(grown, 0, 0, used);
      buffer = grown;
    }
    chunk.copy(buffer, used);
    used = needed;
  };

  return new Promise((resolve) => {
    stream.on("data", (chunk: Buffer) => {
      if (stream.sizeExceeded) onExcess(stream.byteLength);
      if (missing !== undefined) return;
      if (stream.sizeExceeded) drop("size");
      else add(chunk);
    });
    stream.once("end", () => {
      if (missing !== undefined) return resolve({ missing });
      const taken = buffer.length;
      resolve({ raw: buffer.subarray(0, used), release: () => room.give(taken) });
    });
    stream.once("error", () => {
      if (missing === undefined) drop("room");
      resolve({ missing: "gone" });
    });
  });
}

const cr = 0x0d;
const lf = 0x0a;

/**
 * Whether a CR or LF stands alone. No honest mailer sends one (RFC 5321 §2.3.8); servers that take one for the end of a
 * line are how letters are smuggled behind others (CVE-2023-51764 and its kin).
 */
export function hasBareNewline(raw: Buffer): boolean {
  let lines = 0;
  for (let at = raw.indexOf(lf); at >= 0; at = raw.indexOf(lf, at + 1)) {
    if (raw[at - 1] !== cr) return true;
    lines++;
  }
  // Each LF has its CR: one more CR stands alone.
  for (let at = raw.indexOf(cr); at >= 0; at = raw.indexOf(cr, at + 1)) lines--;
  return lines !== 0;
}
