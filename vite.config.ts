import react from "@vitejs/plugin-react";
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";
import { actFormsModule } from "./scripts/act-forms.ts";
import { catalogues } from "./scripts/catalogues.ts";
import { callsModule } from "./scripts/client-calls.ts";
import { docsCallsModule } from "./scripts/docs-calls.ts";

/** Loads the lazy parts of the pages by src/web/loadFiles.ts, whose docstring says why. */
const partLoader: Plugin = {
  name: "part-loader",
  enforce: "pre",
  load: {
    filter: { id: /^\0vite\/preload-helper\.js$/ },
    handler: () => {
      const file = fileURLToPath(new URL("src/web/loadFiles.ts", import.meta.url));
      return `export { loadFiles as __vitePreload } from ${JSON.stringify(file)};`;
    },
  },
};

/** Gives the pages the finished table of calls in place of the contract that it is made from. */
const callsTable: Plugin = {
  name: "calls-table",
  enforce: "pre",
  load: { filter: { id: /\/src\/client\/calls\.ts$/ }, handler: callsModule },
};

const docsCallsTable: Plugin = {
  name: "docs-calls-table",
  enforce: "pre",
  load: { filter: { id: /\/src\/web\/docs\/calls\.ts$/ }, handler: docsCallsModule },
};

const actForms: Plugin = {
  name: "act-forms",
  enforce: "pre",
  load: { filter: { id: /\/src\/web\/office\/actions\/actForms\.ts$/ }, handler: actFormsModule },
};

// `vite build --app` makes both: dist/client for browsers, dist/ssr/render.js for the server.
export default defineConfig({
  plugins: [react(), partLoader, callsTable, docsCallsTable, actForms, catalogues],
  build: {
    // The oldest browsers that README.md names.
    target: ["chrome111", "edge111", "firefox115", "safari16.4"],
    outDir: "dist/client",
    manifest: true,
    // Fonts stay files: the content policy takes them from this server only.
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        // The first file of all pages lists the others by name, and every reader loads it: names are short.
        chunkFileNames: ({ isDynamicEntry }) =>
          isDynamicEntry ? "assets/[name]-[hash:7].js" : "assets/[hash:7].js",
        assetFileNames: ({ names: [name = ""] }) =>
          name.endsWith(".css") ? "assets/[hash:7].css" : "assets/[name]-[hash][extname]",
      },
    },
    // With a part's own file, which Vite leaves out of the list.
    modulePreload: {
      polyfill: false,
      resolveDependencies: (file, others) => [...new Set([file, ...others])],
    },
  },
  worker: { format: "es" },
  environments: {
    client: {
      build: {
        rolldownOptions: {
          // All that each page begins with is one file: eight are packed worse, and each is a request.
          output: { codeSplitting: { groups: [{ name: "first", tags: ["$initial"] }] } },
        },
      },
    },
    ssr: {
      // The renderer carries its libraries: a production install is without them.
      resolve: { noExternal: true },
      // React's development build is three times slower, and this server need not be told that it is in production.
      define: { "process.env.NODE_ENV": JSON.stringify("production") },
      build: {
        outDir: "dist/ssr",
        emptyOutDir: true,
        copyPublicDir: false,
        target: "node24",
        rolldownOptions: { input: { render: "src/web/render.tsx", worker: "src/web/offline/worker.ts" } },
      },
    },
  },
  // `npm run dev`: pages from Vite, the API from a running shop.
  server: { proxy: { "^/(api|user|email|payments)/(?!pay)": "http://127.0.0.1:3000" } },
});
