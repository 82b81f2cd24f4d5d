import type { Incoming } from "../letters/letters.ts";
import type { Certificate } from "../platform/certificate.ts";
import type { Log } from "../platform/log.ts";
import type { ClientLimits } from "./reception.clients.ts";
import type { Directory } from "./reception.recipients.ts";

export interface ReceptionLimits extends ClientLimits {
  sizeBytes: number;
  /** Of any letter with the postmaster among its recipients. */
  postmasterBytes: number;
  recipients: number;
  connections: number;
  idleSeconds: number;
  /** From DATA to its end, however slowly the bytes come. */
  letterSeconds: number;
  /** From the end of a letter until there is memory to keep it. */
  loadSeconds: number;
  spillBytes: number;
  /** Of all letters in memory; when it is used up all go into files. */
  bytesInMemory: number;
  /** Of all letters that are read back from their files. */
  bytesLoading: number;
  /** Disk space that spool files leave free. */
  reserveBytes: number;
  /** Between checks of the certificate files. */
  certificateSeconds: number;
  stopSeconds: number;
}

export interface ReceptionOptions extends Directory {
  host: string;
  /** 0 takes a free one. */
  port: number;
  /** Addresses of proxies: each of their connections begins with the sender's address, and one without it is refused. */
  proxies?: readonly string[];
  log: Log;
  /** Where each answer to a letter, and each refusal before it, is told (ACCESS_LOG). */
  follow?: Pick<Log, "info"> | undefined;
  /** A folder for letters that are too long for memory; created when missing. */
  spoolFolder: string;
  /** Makes a letter durable, waiting no longer than `until`: 250 when it resolves, 451 when it throws. */
  keep(letter: Incoming, until: () => AbortSignal): Promise<void>;
  /** Called for a whole letter; the answered function is called when it is kept, or given up. */
  arriving?(mailboxIds: readonly bigint[]): () => void;
  /** For STARTTLS; the library's own key is published and never used. Read again each minute; after a fault the last one stays. */
  certificate?: (() => Promise<Certificate>) | undefined;
  limits?: Partial<ReceptionLimits>;
  /** Addresses without limits per address; by default those of this machine. */
  isTrusted?: (address: string) => boolean;
}
