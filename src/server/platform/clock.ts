/** The only read of the wall clock; other code gets the time as an argument. */
export function now(): Date {
  return new Date();
}

export function unixSeconds(at: Date): number {
  return Math.floor(at.getTime() / 1000);
}

/** The moment that a call may name, in unix seconds. */
export const momentOf = (seconds: number | undefined): Date | undefined =>
  seconds === undefined ? undefined : secondsAfter(new Date(0), seconds);

/** 00:00 UTC of the day of `at`. */
export function startOfDay(at: Date): Date {
  return new Date(at.toISOString().slice(0, 10));
}

export function secondsAfter(at: Date, seconds: number): Date {
  return new Date(at.getTime() + seconds * 1000);
}
