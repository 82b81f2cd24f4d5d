import { constants } from "node:crypto";
import type { AddressInfo } from "node:net";
import type { SMTPServerOptions } from "smtp-server";
import { isLoopback } from "../platform/network-address.ts";
import type { Certificate } from "../platform/certificate.ts";
import { now } from "../platform/clock.ts";
import { memoryBudget } from "../platform/memory-budget.ts";
import { welcome } from "./reception.clients.ts";
import type { ReceptionLimits, ReceptionOptions } from "./reception.options.ts";
import { Protocol } from "./reception.protocol.ts";
import { readBytesMax, Server } from "./reception.server.ts";
import { openSpool } from "./reception.spool.ts";
import { endsSoon, validUntil } from "./reception.tls.ts";

export { replyCounts } from "./reception.protocol.ts";
export { endsSoon, ownCertificate, readCertificate, validUntil } from "./reception.tls.ts";

export type { ReceptionOptions };

export interface Reception {
  port: number;
  /** Until when the certificate for STARTTLS is valid; undefined without one. */
  validUntil(): Date | undefined;
  /** Whether letters were put off in the last five minutes. */
  putsOff(): boolean;
  /** Takes nothing new, lets letters in work end, answers 421 to the rest. Resolves when every connection is closed. */
  stop(): Promise<void>;
}

const kilobyte = 1024;
const megabyte = 1024 * kilobyte;

export const smtpConnectionsMax = 2_000;

const defaults: ReceptionLimits = {
  sizeBytes: 10 * megabyte,
  postmasterBytes: megabyte,
  recipients: 100, // RFC 5321 §4.5.3.1.8
  connections: smtpConnectionsMax,
  connectionsPerAddress: 100,
  errorsPerMinute: 100,
  postmasterPerAddress: 10,
  postmasterPerHour: 100,
  idleSeconds: 300, // RFC 5321 §4.5.3.2.7
  letterSeconds: 600, // RFC 5321 §4.5.3.2.6
  loadSeconds: 540, // Senders wait ten minutes for the answer (RFC 5321 §4.5.3.2.6).
  spillBytes: 128 * kilobyte,
  bytesInMemory: 32 * megabyte,
  bytesLoading: 16 * megabyte,
  reserveBytes: 512 * megabyte,
  certificateSeconds: 60,
  stopSeconds: 10,
};

/** The SMTP server for letters to our mailboxes; it relays nothing (RFC 5321). */
export async function openReception(options: ReceptionOptions): Promise<Reception> {
  const limits = { ...defaults, ...options.limits };
  const certificate = await options.certificate?.();
  const storage = {
    memory: memoryBudget(limits.bytesInMemory),
    loading: memoryBudget(Math.max(limits.bytesLoading, limits.sizeBytes)),
    spool: await openSpool(options.spoolFolder, {
      reserveBytes: limits.reserveBytes,
      tell: (isFull, freeBytes) => {
        const of = { folder: options.spoolFolder, freeBytes, reserveBytes: limits.reserveBytes };
        if (isFull) options.log.warn(of, "long letters are put off: too little of the disk is free");
        else options.log.info(of, "long letters are taken again: enough of the disk is free");
      },
    }),
    spillBytes: limits.spillBytes,
  };
  const clients = welcome(limits, options.isTrusted ?? isLoopback);
  const protocol = new Protocol(options, limits, clients, storage);
  const server = new Server({ ...settings(options, limits, certificate), ...protocol.handlers() });
  // Includes connections that are being closed; beyond it the system drops them silently.
  server.server.maxConnections = 2 * limits.connections;
  protocol.server = server;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, options.host, () => {
      server.off("error", reject);
      resolve();
    });
  });
  server.on("error", (fault) => options.log.debug({ err: fault }, "an SMTP connection broke"));
  const renewal = certificate && renew(server, certificate, options, limits.certificateSeconds);
  return {
    port: (server.server.address() as AddressInfo).port,
    validUntil: () => renewal?.validUntil(),
    putsOff: () => protocol.putsOff(),
    stop: () => {
      clearInterval(renewal?.timer);
      return protocol.stop();
    },
  };
}

function settings(
  options: ReceptionOptions,
  limits: ReceptionLimits,
  certificate: Certificate | undefined,
): SMTPServerOptions {
  return {
    name: options.hostname,
    size: limits.sizeBytes,
    rejectOversized: true,
    maxRecipients: limits.recipients,
    maxClients: limits.connections,
    maxCommandLength: readBytesMax,
    socketTimeout: limits.idleSeconds * 1000,
    closeTimeout: limits.stopSeconds * 1000,
    disabledCommands: [
      "AUTH",
      "XCLIENT",
      "XFORWARD",
      "WIZ",
      "SHELL",
      "KILL",
      ...(certificate ? [] : ["STARTTLS"]),
    ],
    disableReverseLookup: true,
    // Any sender may write, and recipients are looked up: the library would refuse a domain with a dot at its end.
    lenientAddressParsing: true,
    useProxy: options.proxies && options.proxies.length > 0 ? [...options.proxies] : false,
    // Per connection: the rest stays in the system's buffers.
    highWaterMark: 16 * kilobyte,
    hideENHANCEDSTATUSCODES: false,
    logger: false,
    // The library would also speak TLS 1.0 (RFC 8996), and allow endless renegotiation.
    ...(certificate && {
      ...certificate,
      minVersion: "TLSv1.2",
      secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
    }),
  };
}

/** Reloads the certificate: it is renewed every few weeks without a restart. */
function renew(
  server: Server,
  first: Certificate,
  { certificate, log }: ReceptionOptions,
  seconds: number,
): { readonly timer: NodeJS.Timeout; readonly validUntil: () => Date } {
  let current = first;
  let lastSentence = "";
  const warn = (sentence: string) => {
    if (sentence !== lastSentence) log.warn(sentence);
    lastSentence = sentence;
  };
  const isOver = (one: Certificate) => validUntil(one) <= now();
  const tellEnd = () => {
    const end = validUntil(current);
    if (isOver(current))
      warn(
        `the certificate for STARTTLS expired at ${end.toISOString()}: senders that check it deliver no more`,
      );
    else if (endsSoon(end)) warn(`the certificate for STARTTLS expires at ${end.toISOString()}`);
  };
  const look = async () => {
    const next = (await certificate?.()) ?? current;
    if (isOver(next) && !isOver(current))
      throw new Error(`the new one expired at ${validUntil(next).toISOString()}`);
    if (next.key !== current.key || next.cert !== current.cert) {
      server.updateSecureContext({ key: next.key, cert: next.cert });
      current = next;
      log.info({ validUntil: validUntil(next) }, "a new certificate is used for STARTTLS");
    }
    tellEnd();
  };
  tellEnd();
  const timer = setInterval(() => {
    // It may be half written; the last good one stays until the next check.
    look().catch((fault: unknown) => warn(`the certificate for STARTTLS is not renewed: ${String(fault)}`));
  }, seconds * 1000).unref();
  return { timer, validUntil: () => validUntil(current) };
}
