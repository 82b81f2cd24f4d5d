import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer, type ViteDevServer } from "vite";
import { enter, theOperator } from "./buyer.ts";
import { expect, test as base } from "./fixtures.ts";
import { texts } from "./visitor.ts";

const en = texts.en;
const changedTitle = "A title of tomorrow";

interface Development {
  address: string;
  /** Serves the start page with another title, as after a change of the file. */
  change: () => Promise<void>;
}

/** The pages as `npm run dev` serves them, before this run's shop: React's development build and StrictMode. */
const test = base.extend<{ development: Development }>({
  development: async ({ baseURL }, use) => {
    const cacheDir = mkdtempSync(join(tmpdir(), "postern-vite-"));
    let isChanged = false;
    const server: ViteDevServer = await createServer({
      cacheDir,
      clearScreen: false,
      logLevel: "error",
      plugins: [
        {
          name: "changed-title",
          enforce: "pre",
          transform: {
            filter: { id: /\/src\/web\/home\/Home\.tsx$/ },
            handler: (code) => (isChanged ? code.replace('{t("home.title")}', changedTitle) : undefined),
          },
        },
      ],
      server: {
        host: "127.0.0.1",
        port: 0,
        watch: null,
        proxy: { "^/(api|user|email|payments)/(?!pay)": baseURL ?? "" },
      },
    });
    try {
      await server.listen();
      const change = async () => {
        isChanged = true;
        const [home] =
          server.moduleGraph.getModulesByFile(join(server.config.root, "src/web/home/Home.tsx")) ?? [];
        if (home) await server.reloadModule(home);
      };
      await use({ address: server.resolvedUrls?.local[0]?.replace(/\/$/, "") ?? "", change });
    } finally {
      await server.close();
      rmSync(cacheDir, { recursive: true, force: true });
    }
  },
});

test(
  "in StrictMode and React's development build no page complains",
  { tag: "@full" },
  async ({ page, request, development }) => {
    await enter(page, await theOperator(request), development.address);
    for (const path of [
      "",
      "/docs",
      "/docs/calls",
      "/help",
      "/dashboard",
      "/dashboard/investor",
      "/dashboard/partner",
      "/dashboard/api",
      "/dashboard/payments",
      "/dashboard/statement",
      "/payments/pay?id=77",
      "/admin",
      "/admin/setup",
      "/admin/stories",
    ]) {
      await page.goto(`${development.address}/en${path}`);
      // The server reads and transforms some hundred modules for the first page of a kind.
      await expect(page.getByRole("heading", { level: 1 }), path).toBeVisible({ timeout: 60_000 });
      await expect(page.getByText(en["ui.failed"]), path).toHaveCount(0);
    }
  },
);

test("a changed component shows at once and keeps what was typed", async ({ page, development }) => {
  await page.goto(`${development.address}/en`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(en["home.title"]);
  await page.getByRole("button", { name: en["home.service.another"] }).click();
  const site = page.getByLabel(en["home.service.own"]);
  await site.fill("zoom.us");
  await development.change();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(changedTitle);
  await expect(site).toHaveValue("zoom.us");
});
