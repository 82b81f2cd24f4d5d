import type { Language } from "../i18n/languages.ts";

const hourSeconds = 3600;

/** "5 minutes ago", within a day; undefined before and for what is to come. Takes unix seconds. */
export function agoText(
  language: Language,
  at: number,
  now: number,
  style: "short" | "long" = "long",
): string | undefined {
  const seconds = Math.round(now - at);
  if (seconds < -60 || seconds >= 24 * hourSeconds) return undefined;
  const format = new Intl.RelativeTimeFormat(`${language}-u-nu-latn`, { numeric: "auto", style });
  if (seconds < 60) return format.format(0, "second");
  return seconds < hourSeconds
    ? format.format(-Math.floor(seconds / 60), "minute")
    : format.format(-Math.floor(seconds / hourSeconds), "hour");
}
