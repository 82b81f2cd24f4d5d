import { countFile, type Counted } from "./lineCount.ts";

export type CountProgress = { done: number } | { counted: Counted } | { failed: true };

const report = (progress: CountProgress) => self.postMessage(progress);

self.addEventListener("message", ({ data: file }: MessageEvent<File>) => {
  countFile(file, (done) => report({ done })).then(
    (counted) => report({ counted }),
    () => report({ failed: true }),
  );
});
