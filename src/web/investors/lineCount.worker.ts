import { countFile, type Counted } from "./lineCount.ts";

/** How far the counting is, then what was counted; or that the file cannot be read. */
export type CountProgress = { done: number } | { counted: Counted } | { failed: true };

const tell = (told: CountProgress) => self.postMessage(told);

self.addEventListener("message", ({ data: file }: MessageEvent<File>) => {
  countFile(file, (done) => tell({ done })).then(
    (counted) => tell({ counted }),
    () => tell({ failed: true }),
  );
});
