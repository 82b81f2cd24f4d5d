import { useEffect, useRef, useState } from "react";

/** Stays true for at least so many milliseconds, so that a spinner does not flicker. */
export function useMinimumDuration(active: boolean, milliseconds: number): boolean {
  const [shown, setShown] = useState(active);
  const since = useRef(0);
  if (active && !shown) setShown(true);
  useEffect(() => {
    if (active) {
      since.current = performance.now();
      return;
    }
    const left = Math.max(0, since.current + milliseconds - performance.now());
    const timer = setTimeout(() => setShown(false), left);
    return () => clearTimeout(timer);
  }, [active, milliseconds]);
  return shown;
}
