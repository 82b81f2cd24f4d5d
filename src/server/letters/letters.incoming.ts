/** A letter from SMTP, from another server or made by ourselves; the bytes after DATA, without the dots that the protocol adds. */
export interface Incoming {
  raw: Buffer;
  /** MAIL FROM; empty for the null sender. */
  mailFrom: string;
  mailboxIds: bigint[];
  /** For the operator (RFC 5321 §4.5.1). */
  isToPostmaster: boolean;
  /** The address of the client; undefined for letters that did not come by SMTP. */
  remote: string | undefined;
  /** The HELO of the client; "" for letters that did not come by SMTP. */
  helo: string;
  /** When it came to the server that it was fetched from; without it the letter came now, or at `receivedAt`. */
  arrivedAt?: Date;
  /** When it was here whole, by the monotonic clock of this process (`performance.now()`). */
  receivedAt?: number;
}
