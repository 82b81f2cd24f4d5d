/** A time as dd.mm.yyyy hh:mm in UTC, the days of the shop; takes unix seconds. */
export function utcText(unixSeconds: number): string {
  const [date = "", time = ""] = new Date(unixSeconds * 1000).toISOString().split("T");
  return `${date.split("-").toReversed().join(".")} ${time.slice(0, 5)}`;
}
