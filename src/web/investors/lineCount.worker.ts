import { countFile, type Counted } from "./lineCount.ts";

/** How far the counting is, then what was counted; or that the file cannot be read. */
export type CountProgress = { done: number } | { counted: Counted } | { failed: true };

const report = (progress: CountProgress) => self.postMessage(progress);

self.addEventListener("message", ({ data: file }: MessageEvent<File>) => {
  countFile(file, (done) => report({ done })).then(
    (counted) => report({ counted }),
    () => report({ failed: true }),
  );
});
