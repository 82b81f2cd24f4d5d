import { type ReactNode, useSyncExternalStore } from "react";
import { serverNow } from "./clock.ts";

const tickMilliseconds = 250;

function eachTick(listener: () => void) {
  const timer = setInterval(listener, tickMilliseconds);
  return () => clearInterval(timer);
}

/** Whole seconds until a time (milliseconds since 1970; 0: none). Reads the clock, so that a sleeping tab wakes up right. */
export function useCountdown(until: number): number {
  const left = () => Math.max(0, Math.ceil((until - serverNow()) / 1000));
  return useSyncExternalStore(eachTick, left, () => 0);
}

interface CountdownProps {
  until: number;
  children: (seconds: number) => ReactNode;
}

/** A countdown, silent for screen readers: announce its end in a live region. */
export function Countdown({ until, children }: CountdownProps) {
  return (
    <span role="timer" translate="no">
      {children(useCountdown(until))}
    </span>
  );
}
