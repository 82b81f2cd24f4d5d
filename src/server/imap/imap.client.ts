import type { ImapFlow, ImapFlowError } from "imapflow";
import { isLoopbackHost } from "../platform/network-address.ts";
import type { Box } from "./imap.sql.ts";

/** As in reception: a longer letter is not taken. */
export const sizeMaxBytes = 10 * 1024 * 1024;

const lineMaxBytes = 1024 * 1024;
const connectMs = 10_000;
export interface Patience {
  /** Silence after which a connection is given up; it is polled more often. */
  readonly silenceMs: number;
  /** Limits of a fetch, and of a check before sale, even when the server keeps sending. */
  readonly fetchMs: number;
  readonly onceMs: number;
}

/** Creates an unconnected client. Throws when the password would go over a network unencrypted. Its library is loaded by the first one: it takes memory, and most shops have no hosted mailboxes. */
export async function createClient(
  box: Box,
  password: string,
  { silenceMs }: Pick<Patience, "silenceMs">,
): Promise<ImapFlow> {
  if (box.tls === "none" && !isLoopbackHost(box.host))
    throw new Error(`${box.host} is not on this machine and has no TLS`);
  const library = await import("imapflow");
  const client = new library.ImapFlow({
    host: box.host,
    port: box.port,
    secure: box.tls === "implicit",
    // True refuses a server without STARTTLS instead of falling back.
    doSTARTTLS: box.tls === "starttls",
    tls: { rejectUnauthorized: true, minVersion: "TLSv1.2", ...(box.ca === null ? {} : { ca: box.ca }) },
    auth: { user: box.login, pass: password },
    // The library would log the dialogue.
    logger: false,
    clientInfo: { name: "Postern", version: false, vendor: false, "support-url": false },
    disableAutoIdle: true,
    disableAutoEnable: true,
    disableCompression: true,
    disableBinary: true,
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    socketTimeout: silenceMs,
    // Bounds the memory that a hostile server can make us use.
    maxLineLength: lineMaxBytes,
    maxLiteralSize: sizeMaxBytes + lineMaxBytes,
    maxResponseSize: sizeMaxBytes + 2 * lineMaxBytes,
    maxLockHoldTime: false,
  });
  client.on("error", () => undefined);
  return client;
}

/** On a lost connection the library answers an empty result, as for an empty folder. */
export function expectOpen(client: ImapFlow, folder: string): void {
  if (!client.usable || !client.mailbox || client.mailbox.path !== folder)
    throw new Error("the connection was closed");
}

const reasonLengthMax = 200;

/** Answers undefined when the server refuses a command and the connection goes on; other faults are thrown. */
export async function unlessRefused<Answer>(
  client: ImapFlow,
  work: () => Promise<Answer>,
): Promise<Answer | undefined> {
  try {
    return await work();
  } catch (fault) {
    if (client.usable && isAnswer(fault)) return undefined;
    throw fault;
  }
}

const isAnswer = (fault: unknown) =>
  ["NO", "BAD"].includes((fault as Partial<ImapFlowError>).responseStatus ?? "");

/** A reason in one line for the operator, without the password. */
export function reasonOf(fault: unknown, password: string): string {
  const { message, code, responseText, response } = fault as Partial<ImapFlowError>;
  const text = responseText ?? (typeof response === "string" ? response : undefined);
  const reason = [code, message, text].filter((part) => part !== undefined && part !== "").join(": ");
  const safe = password === "" ? reason : reason.replaceAll(password, "…");
  return safe.replaceAll(/\s+/g, " ").slice(0, reasonLengthMax);
}
