import { availableParallelism } from "node:os";
import { configDefaults, defineConfig } from "vitest/config";
import { soon } from "./test/kit/soon.ts";

// What kills servers, starts processes, draws random histories or reads what was built: part of `npm test`, too slow for `npm run check`.
const slow = [
  "src/**/*.{crash,model,races,storm}.test.ts",
  "src/client/command/command.test.ts",
  "src/server/imap/imap.test.ts",
  "src/server/investors/investors.check.test.ts",
  "src/server/kit/{embedded,db.socket}.test.ts",
  "src/server/payments/networks/{evm,evm.nodes,litecoin,litecoin.esplora,ton,ton.nodes,tron}.test.ts",
  "src/server/payments/payments{,.tron}.test.ts",
  "src/server/shop.test.ts",
  "test/built.test.ts",
  "test/client-package.test.ts",
  "test/journeys/**",
];

export default defineConfig({
  test: {
    environment: "node",
    pool: "threads",
    // Most tests wait for a database: one worker for each processor, where the default leaves one idle.
    maxWorkers: Math.max(2, availableParallelism()),
    globalSetup: "test/kit/global-setup.ts",
    setupFiles: "test/kit/setup.ts",
    // Before all else, and in the threads that tests start.
    execArgv: ["--import", new URL("test/kit/guard.ts", import.meta.url).href],
    // Generous, because two cores may be shared with a browser; a test that waits for an event says so by itself.
    testTimeout: 20_000,
    hookTimeout: 30_000,
    teardownTimeout: 10_000,
    expect: { poll: soon },
    tags: [
      {
        name: "full",
        description: "Exhaustive: runs in `npm run test:full`, while its essence is tested in `npm test`.",
      },
    ],
    projects: [
      {
        extends: true,
        test: {
          name: "quick",
          // Each worker loads and compiles the modules of the shop once; setup.ts undoes what a file leaves behind.
          isolate: false,
          include: ["src/**/*.test.{ts,tsx}", "test/*.test.ts", "test/kit/*.test.ts"],
          exclude: [...configDefaults.exclude, ...slow],
        },
      },
      {
        extends: true,
        test: { name: "slow", include: slow.map((path) => path.replace(/\*\*$/, "**/*.test.ts")) },
      },
    ],
  },
});
