import { link, mkdir, rename, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { customAlphabet } from "nanoid";
import nodemailer, { type SendMailOptions } from "nodemailer";
import { now } from "../platform/clock.ts";
import type { Dkim } from "../platform/config/config.ts";
import type { Composed } from "./mailer.compose.ts";
import { sign } from "./mailer.sign.ts";

export interface Outgoing extends Composed {
  readonly to: string;
  /** Letters only; the same at each try, so that a mail that was sent twice can be recognized. */
  readonly mark: string;
}

export interface Transport {
  /** Sends one mail; answers loggable details. Throws when it was not accepted. */
  send(mail: Outgoing): Promise<{ file?: string }>;
  close(): void;
}

/** No dialogue with the relay: the failure is not about the mail. */
export class RelayDown extends Error {
  override name = "RelayDown";
}

export interface Sender {
  readonly from: string;
  readonly dkim: Dkim | undefined;
}

const randomLetters = customAlphabet("abcdefghijklmnopqrstuvwxyz", 24);
const writer = nodemailer.createTransport({ streamTransport: true, buffer: true, newline: "windows" });

/** A letter as it goes over the wire. */
export async function rawOf(mail: SendMailOptions): Promise<Buffer> {
  const { message } = await writer.sendMail(mail);
  if (!Buffer.isBuffer(message)) throw new Error("the letter was asked for as a buffer");
  return message;
}

/** Marks contain letters only: clients' programs search the run of digits that is the code. */
async function write({ from, dkim }: Sender, { to, mark, ...mail }: Outgoing): Promise<Buffer> {
  const domain = /@([^>\s]+)>?$/.exec(from)?.[1] ?? "localhost";
  const bytes = await rawOf({
    from,
    // As an object: a string would be parsed as a list of addresses.
    to: { name: "", address: to },
    messageId: `<${mark}@${domain}>`,
    baseBoundary: randomLetters(),
    // Base64 would hide the code in the file.
    textEncoding: "quoted-printable",
    // Asks for no vacation notes. RFC 3834 §5.
    headers: { "Auto-Submitted": "auto-generated" },
    ...mail,
  });
  return dkim ? sign(bytes, dkim) : bytes;
}

/** Sends by an SMTP relay. `url`: smtp://user:password@host:port, or smtps://; `?ignoreTLS=true` lets a password go in plaintext. */
export function relay(url: string, sender: Sender): Transport {
  const transport = nodemailer.createTransport({
    url,
    // Otherwise a relay without STARTTLS, or who stands before it, is told the password in plaintext.
    requireTLS: new URL(url).username !== "",
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

/** Writes mail as files `<time>-<to>.eml`, for shops without a relay and for trials. */
export function outbox(folder: string, sender: Sender): Transport {
  let last = 0;
  return {
    send: async (mail) => {
      const bytes = await write(sender, mail);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      // Outside of the folder until it is complete.
      const unfinished = `${folder}.${randomLetters()}.part`;
      // LF line ends, so that simple tools find the code on its line.
      await writeFile(unfinished, bytes.toString("latin1").replaceAll("\r\n", "\n"), {
        mode: 0o600,
        encoding: "latin1",
      });
      // Two mails of one millisecond need two names, also when another process writes the second.
      for (;;) {
        last = Math.max(last + 1, now().getTime());
        const time = new Date(last).toISOString().replaceAll(":", "-");
        const file = join(folder, `${time}-${safe(mail.to)}.eml`);
        if (await putAt(unfinished, file)) return { file };
      }
    },
    close: () => undefined,
  };
}

/** Gives the finished file its name; false where the name is taken. */
async function putAt(unfinished: string, file: string): Promise<boolean> {
  try {
    await link(unfinished, file);
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code === "EEXIST") return false;
    // A file system without links.
    await rename(unfinished, file);
    return true;
  }
  await unlink(unfinished);
  return true;
}

/** Faults of the connection, its encryption and our password, and a relay that closes (RFC 5321 §3.8). */
const relayFaults = new Set(["ECONNECTION", "ETIMEDOUT", "ESOCKET", "EDNS", "ETLS", "EAUTH", "EPROTOCOL"]);

function isOfRelay(fault: unknown): boolean {
  const { code, responseCode } = fault as { code?: string; responseCode?: number };
  return relayFaults.has(code ?? "") || responseCode === 421;
}

function safe(address: string): string {
  return address.replace(/[^a-z0-9@._+-]/gi, "_").slice(0, 120);
}
