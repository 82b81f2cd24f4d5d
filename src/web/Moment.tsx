import { useEffect, useState } from "react";
import { agoText } from "./ago.ts";
import { moment } from "./format.ts";
import { useLanguage } from "./language.tsx";
import { serverNow } from "./ui/display/clock.ts";

const tickMilliseconds = 60_000;

/** A time as how long ago it was, within a day; the exact one shows on hover. */
export function Moment({ at, short = false }: { at: number; short?: boolean }) {
  const language = useLanguage();
  const [now, setNow] = useState(serverNow);
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), tickMilliseconds);
    return () => clearInterval(timer);
  }, []);
  return (
    <time dateTime={new Date(at * 1000).toISOString()} title={moment(at, "seconds")}>
      <bdi>{agoText(language, at, now / 1000, short ? "short" : "long") ?? moment(at)}</bdi>
    </time>
  );
}
