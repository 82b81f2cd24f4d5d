import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    environment: "node",
    pool: "threads",
    // Most tests wait for a database: one worker for each processor, where the default leaves one idle.
    maxWorkers: Math.max(2, availableParallelism()),
    include: ["src/**/*.test.{ts,tsx}", "test/**/*.test.ts"],
    exclude: ["test/e2e/**", "bench/**", "node_modules/**"],
    globalSetup: "test/kit/global-setup.ts",
    setupFiles: "test/kit/setup.ts",
    // Generous, because two cores may be shared with a browser; a test that waits for an event says so by itself.
    testTimeout: 20_000,
    hookTimeout: 30_000,
    teardownTimeout: 10_000,
  },
});
