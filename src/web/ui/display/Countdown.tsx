import { type ReactNode, useSyncExternalStore } from "react";

const tickMilliseconds = 250;

function eachTick(listener: () => void) {
  const timer = setInterval(listener, tickMilliseconds);
  return () => clearInterval(timer);
}

/**
 * Whole seconds left until a moment (milliseconds since 1970; 0 = none), counted from the clock and not by
 * decrementing, so that a sleeping tab wakes up right.
 */
export function useCountdown(until: number): number {
  const left = () => Math.max(0, Math.ceil((until - Date.now()) / 1000));
  return useSyncExternalStore(eachTick, left, () => 0);
}

interface CountdownProps {
  until: number;
  /** What to show for the seconds that are left. */
  children: (seconds: number) => ReactNode;
}

/** Shows a countdown. Not spoken each second: put what happens at its end into a live region. */
export function Countdown({ until, children }: CountdownProps) {
  return <span role="timer">{children(useCountdown(until))}</span>;
}
