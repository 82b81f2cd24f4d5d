/** The wall clock, read in this one place; everything else is told the time. */
export function now(): Date {
  return new Date();
}

/** A point in time as unix seconds, as the wire writes it. */
export function unixSeconds(at: Date): number {
  return Math.floor(at.getTime() / 1000);
}

/** The point in time so many seconds later. */
export function secondsAfter(at: Date, seconds: number): Date {
  return new Date(at.getTime() + seconds * 1000);
}
