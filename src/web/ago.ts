import type { Language } from "../i18n/languages.ts";

const hourSeconds = 3600;
const daySeconds = 24 * hourSeconds;

type Style = "short" | "long";

/** "5 minutes ago", within a day; undefined before and for what is to come. Takes unix seconds. */
export function agoText(
  language: Language,
  at: number,
  now: number,
  style: Style = "long",
): string | undefined {
  const seconds = Math.round(at - now);
  if (seconds > 60 || seconds <= -daySeconds) return undefined;
  return distanceText(language, seconds > -60 ? 0 : seconds, style);
}

/** "3 sec. ago" or "in 5 min.", within a day; undefined when it is further. Takes unix seconds. */
export function nearText(language: Language, at: number, now: number): string | undefined {
  const seconds = Math.round(at - now);
  return Math.abs(seconds) < daySeconds ? distanceText(language, seconds, "short") : undefined;
}

function distanceText(language: Language, seconds: number, style: Style): string {
  const format = new Intl.RelativeTimeFormat(`${language}-u-nu-latn`, { numeric: "auto", style });
  const size = Math.abs(seconds);
  if (size < 60) return format.format(seconds, "second");
  if (size < hourSeconds) return format.format(Math.trunc(seconds / 60), "minute");
  return format.format(Math.trunc(seconds / hourSeconds), "hour");
}
