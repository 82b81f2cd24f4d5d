import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { customAlphabet } from "nanoid";
import nodemailer from "nodemailer";
import { now } from "../platform/clock.ts";
import type { Dkim } from "../platform/config/config.ts";
import type { Composed } from "./mailer.compose.ts";
import { sign } from "./mailer.sign.ts";

/** A mail and who it is for. */
export interface Outgoing extends Composed {
  readonly to: string;
  /** Made of letters; the same at each try, so that a mail that was taken twice can be told from two. */
  readonly mark: string;
}

/** A way out for our mail. */
export interface Transport {
  /** Sends one mail; answers what the log may tell of it. Throws when it was not taken. */
  send(mail: Outgoing): Promise<{ file?: string }>;
  close(): void;
}

/** The relay could not be spoken to at all: nothing that was said or not said is about the mail. */
export class RelayDown extends Error {
  override name = "RelayDown";
}

export interface Sender {
  readonly from: string;
  readonly dkim: Dkim | undefined;
}

const randomLetters = customAlphabet("abcdefghijklmnopqrstuvwxyz", 24);
const writer = nodemailer.createTransport({ streamTransport: true, buffer: true, newline: "windows" });

/** The mail as bytes. Marks are made of letters only: programs of our users look for the run of digits that is the code. */
async function write({ from, dkim }: Sender, { to, mark, ...mail }: Outgoing): Promise<Buffer> {
  const domain = /@([^>\s]+)>?$/.exec(from)?.[1] ?? "localhost";
  const { message } = await writer.sendMail({
    from,
    // As an object: a string would be parsed as a list of addresses.
    to: { name: "", address: to },
    messageId: `<${mark}@${domain}>`,
    baseBoundary: randomLetters(),
    // Base64 would hide the code from who reads the file.
    textEncoding: "quoted-printable",
    // No vacation notes, please. RFC 3834 §5.
    headers: { "Auto-Submitted": "auto-generated" },
    ...mail,
  });
  const bytes = message as Buffer;
  return dkim ? sign(bytes, dkim) : bytes;
}

/** Mail by way of an SMTP relay. `url`: smtp://user:password@host:port, or smtps://. */
export function relay(url: string, sender: Sender): Transport {
  const transport = nodemailer.createTransport({
    url,
    pool: true,
    maxConnections: 3,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
  });
  return {
    send: async (mail) => {
      const bytes = await write(sender, mail);
      let isOnItsWay = false;
      const body = function* () {
        isOnItsWay = true;
        yield bytes;
      };
      try {
        await transport.sendMail({
          envelope: { from: sender.from, to: [{ name: "", address: mail.to }] },
          raw: Readable.from(body(), { objectMode: false }),
        });
      } catch (fault) {
        throw !isOnItsWay && isOfRelay(fault)
          ? new RelayDown((fault as Error).message, { cause: fault })
          : fault;
      }
      return {};
    },
    close: () => transport.close(),
  };
}

/** Mail as files `<time>-<to>.eml` in a folder, for shops without a relay and for trying things out. */
export function outbox(folder: string, sender: Sender): Transport {
  let last = 0;
  return {
    send: async (mail) => {
      const bytes = await write(sender, mail);
      // Two mails of one millisecond must not have one name.
      last = Math.max(last + 1, now().getTime());
      const file = join(folder, `${new Date(last).toISOString().replaceAll(":", "-")}-${safe(mail.to)}.eml`);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      // Beside the folder: who looks into it sees whole mails only.
      const unfinished = `${folder}.${randomLetters()}.part`;
      // Lines end as those of other text files on this machine, so that simple tools find the code on its line.
      await writeFile(unfinished, bytes.toString("latin1").replaceAll("\r\n", "\n"), {
        mode: 0o600,
        encoding: "latin1",
      });
      await rename(unfinished, file);
      return { file };
    },
    close: () => undefined,
  };
}

/** Faults of the connection, of its encryption and of our password, and a relay that says that it goes (RFC 5321 §3.8). */
const relayFaults = new Set(["ECONNECTION", "ETIMEDOUT", "ESOCKET", "EDNS", "ETLS", "EAUTH", "EPROTOCOL"]);

function isOfRelay(fault: unknown): boolean {
  const { code, responseCode } = fault as { code?: string; responseCode?: number };
  return relayFaults.has(code ?? "") || responseCode === 421;
}

/** Any address as a part of a file name that every file system takes. */
function safe(address: string): string {
  return address.replace(/[^a-z0-9@._+-]/gi, "_").slice(0, 120);
}
