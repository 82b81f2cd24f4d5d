import { useEffect, useRef, useState } from "react";

/** Stays true for at least so many milliseconds once it was true, so that a spinner is seen and does not flicker. */
export function useMinimumDuration(active: boolean, milliseconds: number): boolean {
  const [shown, setShown] = useState(active);
  const since = useRef(0);
  if (active && !shown) setShown(true);
  // The clock is outside React, and only a timer can end it.
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
