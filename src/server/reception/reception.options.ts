import type { Incoming } from "../letters/letters.ts";
import type { Certificate } from "../platform/certificate.ts";
import type { Log } from "../platform/log.ts";
import type { ClientLimits } from "./reception.clients.ts";
import type { Directory } from "./reception.recipients.ts";

export interface ReceptionLimits extends ClientLimits {
  sizeBytes: number;
  /** Of a letter that is for the postmaster, whoever else is meant. */
  postmasterBytes: number;
  recipients: number;
  connections: number;
  /** Silence of a client. */
  idleSeconds: number;
  /** From DATA to its end, however slowly the bytes drip. */
  letterSeconds: number;
  /** From the end of a letter until there is room to keep it. */
  loadSeconds: number;
  /** Longer letters are received into a file. */
  spillBytes: number;
  /** Of all letters that are received in memory; when it is used up all go into files. */
  bytesInMemory: number;
  /** Of all letters that are read back from their files. */
  bytesLoading: number;
  /** What files of letters leave free of the disk. */
  reserveBytes: number;
  /** Between looks at the certificate. */
  certificateSeconds: number;
  /** For letters in flight when the server stops. */
  stopSeconds: number;
}

export interface ReceptionOptions extends Directory {
  host: string;
  /** 0 takes a free one. */
  port: number;
  log: Log;
  /** A folder for letters that are too long for memory; made when missing. */
  spoolFolder: string;
  /** Makes a letter durable. The sender is told 250 when it resolves and 451 when it throws. It waits no longer than `until` says. */
  keep(letter: Incoming, until: () => AbortSignal): Promise<void>;
  /** Told of a letter that is here whole; what it answers is called when the letter is kept, or given up. */
  arriving?(mailboxIds: readonly bigint[]): () => void;
  /**
   * STARTTLS is offered when there is a certificate; the library's own has a published key and is never used. It is asked for
   * again each minute: a new one is taken without closing a connection, and the last goes on when there is a fault.
   */
  certificate?: (() => Promise<Certificate>) | undefined;
  limits?: Partial<ReceptionLimits>;
  /** Addresses without limits per address; those of this machine if not said otherwise. */
  isTrusted?: (address: string) => boolean;
}
