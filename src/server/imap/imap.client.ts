// One connection to a registered IMAP server: how it is secured and bounded, and what its failures mean.
import { ImapFlow, type ImapFlowError } from "imapflow";
import { isLoopbackHost } from "../platform/network-address.ts";
import type { Box } from "./imap.sql.ts";

/** As reception: a longer letter is not fetched. */
export const sizeMaxBytes = 10 * 1024 * 1024;

const lineMaxBytes = 1024 * 1024;
const connectMs = 10_000;
/** How long a server is waited for. */
export interface Patience {
  /** Silence after which a connection is given up. Something is asked of each more often than that. */
  readonly silenceMs: number;
  /** How long a fetch, or the one look at a mailbox that is not on sale, may take, though the server says something now and then. */
  readonly fetchMs: number;
  readonly onceMs: number;
}

/** A client for a mailbox, not connected yet. Throws when the password would go over a network in the clear. */
export function createClient(
  box: Box,
  password: string,
  { silenceMs }: Pick<Patience, "silenceMs">,
): ImapFlow {
  if (box.tls === "none" && !isLoopbackHost(box.host))
    throw new Error(`${box.host} is not on this machine and has no TLS`);
  const client = new ImapFlow({
    host: box.host,
    port: box.port,
    secure: box.tls === "implicit",
    // True refuses a server that does not offer it: no falling back to the clear.
    doSTARTTLS: box.tls === "starttls",
    tls: { rejectUnauthorized: true, minVersion: "TLSv1.2", ...(box.ca === null ? {} : { ca: box.ca }) },
    auth: { user: box.login, pass: password },
    // The library would write what is said between client and server.
    logger: false,
    clientInfo: { name: "Postern", version: false, vendor: false, "support-url": false },
    disableAutoIdle: true,
    disableAutoEnable: true,
    disableCompression: true,
    disableBinary: true,
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    socketTimeout: silenceMs,
    // A server may be wrong or hostile: what it can make us hold is bounded.
    maxLineLength: lineMaxBytes,
    maxLiteralSize: sizeMaxBytes,
    maxResponseSize: sizeMaxBytes + lineMaxBytes,
    maxLockHoldTime: false,
  });
  // Each command that is under way fails too, and says it.
  client.on("error", () => undefined);
  return client;
}

/** Codes with which a server says no to a login for reasons that pass (RFC 5530 §3, RFC 9051 §7.1). */
const passing = new Set(["UNAVAILABLE", "LIMIT", "INUSE", "SERVERBUG", "CONTACTADMIN", "OVERQUOTA", "ALERT"]);

/** Whether the server said that the password is wrong, and not something else. */
export function isRefused(fault: unknown): boolean {
  const { authenticationFailed, responseStatus, serverResponseCode } = fault as Partial<ImapFlowError>;
  return (
    authenticationFailed === true &&
    responseStatus === "NO" &&
    !passing.has((serverResponseCode ?? "").toUpperCase())
  );
}

/** On a connection that has just been lost the library says that there is nothing, as it does when there is nothing. */
export function expectOpen(client: ImapFlow, folder: string): void {
  if (!client.usable || !client.mailbox || client.mailbox.path !== folder)
    throw new Error("the connection was closed");
}

const reasonLengthMax = 200;

/** What went wrong, in a line for the operator. Whatever the server said, the password is not in it. */
export function reasonOf(fault: unknown, password: string): string {
  const { message, code, responseText, response } = fault as Partial<ImapFlowError>;
  const said = responseText ?? (typeof response === "string" ? response : undefined);
  const reason = [code, message, said].filter((part) => part !== undefined && part !== "").join(": ");
  const safe = password === "" ? reason : reason.replaceAll(password, "…");
  return safe.replaceAll(/\s+/g, " ").slice(0, reasonLengthMax);
}
