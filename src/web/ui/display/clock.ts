/** What the clock of this machine lacks to that of the server, in milliseconds; undefined until an answer has told it. */
let lack: number | undefined;

/** A header tells whole seconds, and an answer takes its time. */
const exactMilliseconds = 10_000;

/** Takes the time of the server from the `Date` of the first quick answer; `askedAt` in milliseconds since 1970. */
export function hearClock(date: string | null, askedAt: number): void {
  const answeredAt = Date.now();
  const serverTime = Date.parse(date ?? "");
  if (lack !== undefined || Number.isNaN(serverTime) || answeredAt - askedAt > exactMilliseconds) return;
  const found = serverTime + 500 - (askedAt + answeredAt) / 2;
  lack = Math.abs(found) < exactMilliseconds ? 0 : found;
}

/** Now by the server's clock, in milliseconds since 1970: that of a visitor may be hours wrong. */
export const serverNow = (): number => Date.now() + (lack ?? 0);
