import type { Tx } from "../platform/db/db.ts";

/** A letter, and when it arrived: that excludes most partitions. */
export interface Kept {
  readonly letterId: bigint;
  readonly arrivedAt: Date;
}

/**
 * Empties letters whose only reader closed the account: subject, body and bytes. The rows stay, as the audit counts them.
 */
export async function forgetBodies(tx: Tx, letters: readonly Kept[]): Promise<void> {
  if (letters.length === 0) return;
  const ids = letters.map(({ letterId }) => letterId);
  const times = letters.map(({ arrivedAt }) => arrivedAt.getTime());
  const [from, until] = [
    new Date(times.reduce((one, other) => Math.min(one, other))),
    new Date(times.reduce((one, other) => Math.max(one, other)) + 1),
  ];
  await tx`update letter set subject = null where id = any (${ids}::bigint[])`;
  await tx`
    update letter_body set html = null, text = null, code = null, link = null, attachments = '[]', code_confidence = null, code_candidates = null
    where letter_id = any (${ids}::bigint[]) and arrived_at between ${from} and ${until}`;
  await tx`delete from letter_raw where letter_id = any (${ids}::bigint[]) and arrived_at between ${from} and ${until}`;
}

/** What an account taught about codes. */
export const forgetChoices = (tx: Tx, userId: bigint) =>
  tx`delete from code_choice where user_id = ${userId}`;
