// When a letter came: between two looks by its UID, and within them by the server's date and its clock.

/** What a look showed: letters with a UID from `nextUid` on came after `from`, the others before `to`. */
export interface Look {
  readonly from: Date;
  readonly to: Date;
  readonly nextUid: number;
}

export interface Bounds {
  /** Undefined: no look was before it. */
  readonly lower: Date | undefined;
  readonly upper: Date;
}

/** INTERNALDATE has whole seconds (RFC 9051 §2.3.3), cut and not rounded. */
const resolutionMs = 1_000;
/** A smaller clock difference is ignored; a larger one than the maximum needs the letter's own date to be believed. */
const clockSlackMs = 2_000;
export const clockOffMaxMs = 15 * 60 * 1_000;
/** No time zone is further away. */
const zoneMaxMs = 26 * 3_600 * 1_000;

/** The bounds of a UID by the looks, oldest first, of which the last listed it. */
export function boundsOf(uid: number, looks: readonly Look[], until: Date): Bounds {
  const lower = looks.findLast(({ nextUid }) => nextUid <= uid)?.from;
  const upper = looks.find(({ nextUid }) => nextUid > uid)?.to ?? until;
  return { lower, upper: upper < until ? upper : until };
}

export interface Dated {
  /** INTERNALDATE; undefined when the server gives none that can be read. */
  readonly internal: Date | undefined;
  /** The letter's own date, where it was asked for. */
  readonly written?: Date | undefined;
}

/** When it came, within its bounds; undefined when nothing tells, so that it may be older than any order. */
export function arrivalOf(
  { internal, written }: Dated,
  { lower, upper }: Bounds,
  clockMs: number,
): Date | undefined {
  if (!internal) return lower ?? upper;
  const dated = new Date(internal.getTime() + resolutionMs - clockMs);
  const isWritten = written !== undefined && written.getTime() <= upper.getTime() + clockOffMaxMs;
  // Nothing comes from the future, and nothing comes before it was written: the server's clock is wrong.
  const isAhead = dated.getTime() > upper.getTime() + clockOffMaxMs;
  const isBehind = isWritten && written.getTime() - dated.getTime() > clockOffMaxMs;
  const came = isAhead ? (isWritten ? written : undefined) : isBehind ? written : dated;
  if (came === undefined) return lower;
  return within(came, { lower, upper });
}

function within(at: Date, { lower, upper }: Bounds): Date {
  if (at > upper) return upper;
  return lower !== undefined && at < lower ? lower : at;
}

/** Whether its own date may show that it came after `since`, although the server's date says otherwise. */
export function isDoubtful(
  internal: Date | undefined,
  { lower, upper }: Bounds,
  clockMs: number,
  since: Date,
): boolean {
  if (!internal || (lower !== undefined && lower >= since) || upper < since) return false;
  const dated = internal.getTime() + resolutionMs - clockMs;
  const isAhead = dated > upper.getTime() + clockOffMaxMs;
  return isAhead || (dated < since.getTime() && dated > since.getTime() - zoneMaxMs);
}

/** Whether it came so long before `since` that no small difference of clocks matters. */
export const isLongBefore = (internal: Date | undefined, clockMs: number, since: Date): boolean =>
  internal !== undefined && internal.getTime() - clockMs < since.getTime() - clockOffMaxMs;

/** The host's clock offset, by a letter that came between two looks; a date that no offset explains is of a letter moved here. */
export function clockOf({ internal, written }: Dated, { lower, upper }: Bounds, clockMs: number): number {
  if (!internal) return clockMs;
  const dated = internal.getTime();
  const tooLate = dated - clockMs > upper.getTime() + clockSlackMs;
  const tooEarly = lower !== undefined && dated + resolutionMs - clockMs < lower.getTime() - clockSlackMs;
  if (!tooLate && !tooEarly) return clockMs;
  const seen = dated - upper.getTime();
  const isNow = written !== undefined && Math.abs(written.getTime() - upper.getTime()) < clockOffMaxMs;
  const most = lower !== undefined && isNow ? zoneMaxMs : clockOffMaxMs;
  return Math.abs(seen) > most ? clockMs : seen;
}

/** INTERNALDATE; undefined where it cannot be read. */
export function dateOf(internalDate: Date | string | undefined): Date | undefined {
  const at = new Date(internalDate ?? Number.NaN);
  return Number.isNaN(at.getTime()) ? undefined : at;
}
