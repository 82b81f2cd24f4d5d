import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { customAlphabet } from "nanoid";
import nodemailer from "nodemailer";
import { now } from "../kit/clock.ts";
import type { Composed } from "./notices.compose.ts";

/** A way out for our mail. */
export interface Transport {
  /** Sends one mail; answers what the log may tell of it. Throws when it was not taken. */
  send(to: string, mail: Composed): Promise<{ file?: string }>;
  close(): void;
}

const letters = customAlphabet("abcdefghijklmnopqrstuvwxyz", 24);

/** Marks made of letters only: programs of our users look for the run of digits that is the code. */
function envelope(from: string, to: string, mail: Composed) {
  const domain = /@([^>\s]+)>?$/.exec(from)?.[1] ?? "localhost";
  return {
    from,
    // As an object: a string would be parsed as a list of addresses.
    to: { name: "", address: to },
    messageId: `<${letters()}@${domain}>`,
    baseBoundary: letters(),
    // Base64 would hide the code from who reads the file.
    textEncoding: "quoted-printable" as const,
    // No vacation notes, please. RFC 3834 §5.
    headers: { "Auto-Submitted": "auto-generated" },
    ...mail,
  };
}

/** Mail by way of an SMTP relay. `url`: smtp://user:password@host:port, or smtps://. */
export function relay(url: string, from: string): Transport {
  const transport = nodemailer.createTransport({
    url,
    pool: true,
    maxConnections: 3,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
  });
  return {
    send: async (to, mail) => {
      await transport.sendMail(envelope(from, to, mail));
      return {};
    },
    close: () => transport.close(),
  };
}

/** Mail as files `<time>-<to>.eml` in a folder, for shops without a relay and for trying things out. */
export function outbox(folder: string, from: string): Transport {
  // Lines end as those of other text files on this machine, so that simple tools find the code on its line.
  const writer = nodemailer.createTransport({ streamTransport: true, buffer: true, newline: "unix" });
  let last = 0;
  return {
    send: async (to, mail) => {
      const { message } = await writer.sendMail(envelope(from, to, mail));
      // Two mails of one millisecond must not have one name.
      last = Math.max(last + 1, now().getTime());
      const file = join(folder, `${new Date(last).toISOString().replaceAll(":", "-")}-${safe(to)}.eml`);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      // Beside the folder: who looks into it sees whole mails only.
      const unfinished = `${folder}.${letters()}.part`;
      await writeFile(unfinished, message, { mode: 0o600 });
      await rename(unfinished, file);
      return { file };
    },
    close: () => writer.close(),
  };
}

/** Any address as a part of a file name that every file system takes. */
function safe(address: string): string {
  return address.replace(/[^a-z0-9@._+-]/gi, "_").slice(0, 120);
}
