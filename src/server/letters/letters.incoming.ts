/** A letter as it came: by SMTP, from another server or made by ourselves; the bytes after DATA, without the dots that the protocol adds. */
export interface Incoming {
  raw: Buffer;
  /** MAIL FROM; empty for the null sender. */
  mailFrom: string;
  mailboxIds: bigint[];
  /** It is for those who run the shop (RFC 5321 §4.5.1). */
  isToPostmaster: boolean;
  /** The address of who brought it; undefined for letters that did not come by SMTP. */
  remote: string | undefined;
  /** How who brought it greeted; "" for letters that did not come by SMTP. */
  helo: string;
  /** When it came to where it was fetched from; not there, it comes now, or came at `receivedAt`. */
  arrivedAt?: Date;
  /** When it was here whole, by the monotonic clock of this process (`performance.now()`): it may have waited since. */
  receivedAt?: number;
}
