/** Resolves after the time or on abort. */
export async function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return;
  await new Promise<void>((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    signal?.addEventListener("abort", done);
  });
}

/** Doubles with each failure in a row, with jitter. */
export function backoffMilliseconds(
  failures: number,
  { min, max, random = Math.random() }: { min: number; max: number; random?: number },
): number {
  return Math.min(max, min * 2 ** failures) * (0.5 + random / 2);
}
