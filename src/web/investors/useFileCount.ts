import { useEffect, useState } from "react";
import type { CountProgress } from "./lineCount.worker.ts";

/** Counts the lines of a file in a thread of its own, so that the page goes on answering. */
export function useFileCount(file: File): CountProgress {
  const [heard, setHeard] = useState<{ file: File; told: CountProgress }>();
  // The thread is outside React.
  useEffect(() => {
    const setTold = (told: CountProgress) => setHeard({ file, told });
    const worker = new Worker(new URL("./lineCount.worker.ts", import.meta.url), { type: "module" });
    worker.addEventListener("message", ({ data }: MessageEvent<CountProgress>) => setTold(data));
    worker.addEventListener("error", () => setTold({ failed: true }));
    worker.postMessage(file);
    return () => worker.terminate();
  }, [file]);
  return heard?.file === file ? heard.told : { done: 0 };
}
