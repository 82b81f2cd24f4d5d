import { useEffect, useState } from "react";
import type { CountTold } from "./count.worker.ts";

/** Counts the lines of a file in a thread of its own, so that the page goes on answering. */
export function useFileCount(file: File): CountTold {
  const [heard, setHeard] = useState<{ file: File; told: CountTold }>();
  // The thread is outside React.
  useEffect(() => {
    const setTold = (told: CountTold) => setHeard({ file, told });
    const worker = new Worker(new URL("./count.worker.ts", import.meta.url), { type: "module" });
    worker.addEventListener("message", ({ data }: MessageEvent<CountTold>) => setTold(data));
    worker.addEventListener("error", () => setTold({ failed: true }));
    worker.postMessage(file);
    return () => worker.terminate();
  }, [file]);
  return heard?.file === file ? heard.told : { done: 0 };
}
