import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type * as Client from "../../src/client/client.ts";
import { newBuyer } from "./buyer.ts";
import { place } from "./shopAddress.ts";
import { expect, test } from "./fixtures.ts";

const packer = fileURLToPath(new URL("../../scripts/pack-client.ts", import.meta.url));

/** Another origin: an empty page beside the files of the package. */
async function openSite(folder: string) {
  const server = createServer(({ url = "/" }, response) => {
    if (url === "/") return response.setHeader("content-type", "text/html").end("<!doctype html><title>Shop");
    return response.setHeader("content-type", "text/javascript").end(readFileSync(join(folder, url)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () => server.close().closeAllConnections();
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, close };
}

test(
  "a page of another origin uses the client's package in the browser",
  { tag: "@full" },
  async ({ page, request }) => {
    const folder = mkdtempSync(join(tmpdir(), "postern-client-"));
    const { status, stderr } = spawnSync(process.execPath, [packer, folder], { encoding: "utf8" });
    expect(status, stderr).toBe(0);
    const site = await openSite(folder);
    try {
      const { token } = await newBuyer(request, "0");
      // Keeps the page from loading an icon.
      await page.route("**/favicon.ico", (route) => route.fulfill({ status: 204 }));
      await page.goto(site.url);
      const said = await page.evaluate(
        async ({ url, token, file }) => {
          const { Postern, PosternError } = (await import(file)) as typeof Client;
          const postern = new Postern({ url, token });
          const order = await postern.order({ site: "sandbox-ok", domain: "letters.test" });
          const { code } = await order.waitForLetter({ timeoutSeconds: 60 });
          const poor = await postern
            .order({ site: "instagram.com", domain: "letters.test" })
            .catch((no) => no);
          return [code, poor instanceof PosternError && poor.value];
        },
        { url: `http://127.0.0.1:${place.port}`, token, file: `${site.url}client.js` },
      );
      expect(said).toEqual(["482915", "no balance"]);
    } finally {
      site.close();
      rmSync(folder, { recursive: true });
    }
  },
);
