import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

// `vite build --app` makes both: dist/client for browsers, dist/ssr/render.js for the server.
export default defineConfig({
  plugins: [react()],
  build: {
    target: "es2022",
    outDir: "dist/client",
    manifest: true,
    // Fonts stay files: the content policy takes them from this server only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  worker: { format: "es" },
  environments: {
    ssr: {
      // The renderer carries its libraries: a production install is without them.
      resolve: { noExternal: true },
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
