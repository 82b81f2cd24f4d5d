import tests from "./packages/tests/package.json" with { type: "json" };

export default {
  entry: [
    "src/server/main.ts",
    "src/server/shop.ts",
    "src/server/alive.ts",
    "src/server/letters/parsing/parsing.worker.ts",
    "src/server/letters/authentication/authenticate.worker.ts",
    "test/kit/hostile.worker.ts",
    "src/server/stories/stories.draw.worker.ts",
    "src/client/client.ts",
    "src/client/testing/{inbox,playwright}.ts",
    "src/client/command/main.ts",
    "src/web/render.tsx",
    "src/web/offline/worker.ts",
    "scripts/*.{mjs,ts}",
    "bench/*.ts",
    "test/e2e/**/*.spec.ts",
  ],
  project: ["src/**/*.{ts,tsx}", "test/**/*.ts", "scripts/**/*.{mjs,ts}", "bench/**/*.ts"],
  // The workspaces hold lists of packages, no code of their own: test/image.test.ts says who may import them.
  ignoreWorkspaces: ["packages/*"],
  vitest: true,
  playwright: true,
  ignoreDependencies: [
    "@fontsource-variable/.*",
    ...Object.keys({ ...tests.dependencies, ...tests.optionalDependencies }),
  ],
  ignoreBinaries: ["oxfmt", "oxlint", "tsc", "knip", "vitest", "playwright", "kubectl", "systemd-analyze"],
  exclude: ["types"],
  ignoreExportsUsedInFile: true,
};
