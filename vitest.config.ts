import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { catalogueFile, catalogues } from "./scripts/catalogues.ts";
import { useTemporary } from "./scripts/temporary.mjs";
import { soon } from "./test/kit/soon.ts";

useTemporary();

export default defineConfig({
  plugins: [
    {
      ...catalogues,
      // Vitest keeps a file by its own content; a catalogue has English, guides and the contract in it too.
      configureVitest: ({ defineCacheKeyGenerator }) =>
        defineCacheKeyGenerator(({ id }) => (catalogueFile.test(id) ? false : undefined)),
    },
  ],
  test: {
    environment: "node",
    pool: "threads",
    // Most tests wait for a database: one worker more than processors took 190 s on two cores where two took 248.
    maxWorkers: availableParallelism() + 1,
    globalSetup: "test/kit/global-setup.ts",
    setupFiles: "test/kit/setup.ts",
    // Before all else, and in the threads that tests start.
    execArgv: ["--import", new URL("test/kit/guard.ts", import.meta.url).href],
    // Against what hangs, not what is slow: two cores may be shared with a browser, and a machine was seen at a quarter of its speed. A test that waits for an event says so by itself.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    teardownTimeout: 10_000,
    expect: { poll: soon },
    // Each worker loads and compiles the modules of the shop once; setup.ts undoes what a file leaves behind.
    isolate: false,
    include: ["{src,test}/**/*.test.{ts,tsx}"],
    tags: [
      {
        name: "slow",
        description:
          "Kills servers, starts processes or takes seconds: part of `npm test`, left out of `npm run check`.",
      },
      {
        name: "full",
        description: "Exhaustive: runs in `npm run test:full`, while its essence is tested in `npm test`.",
      },
    ],
  },
});
