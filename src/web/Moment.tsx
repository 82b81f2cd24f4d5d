import { useEffect, useState } from "react";
import { agoText } from "./ago.ts";
import { moment } from "./format.ts";
import { useLanguage } from "./language.tsx";

const tickMilliseconds = 60_000;

/** A time as how long ago it was, within a day; the exact one shows on hover. */
export function Moment({ at, short = false }: { at: number; short?: boolean }) {
  const language = useLanguage();
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), tickMilliseconds);
    return () => clearInterval(timer);
  }, []);
  return (
    <time dateTime={new Date(at * 1000).toISOString()} title={moment(at, "seconds")}>
      <bdi>{agoText(language, at, now / 1000, short ? "short" : "long") ?? moment(at)}</bdi>
    </time>
  );
}
