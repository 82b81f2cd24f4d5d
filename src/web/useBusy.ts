import { useState } from "react";

/**
 * Whether `whileBusy` still waits for the work that it was given; it answers and throws what the work does. Not a transition: React
 * ends all that are waiting together, so that a slow answer would keep a chosen language or page from being shown.
 */
export function useBusy() {
  const [isBusy, setBusy] = useState(false);
  const whileBusy = async <Answer>(work: () => Promise<Answer>): Promise<Answer> => {
    setBusy(true);
    try {
      return await work();
    } finally {
      setBusy(false);
    }
  };
  return [isBusy, whileBusy] as const;
}
