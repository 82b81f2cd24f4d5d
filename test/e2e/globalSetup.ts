import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { chromium, type FullConfig } from "@playwright/test";
import { shopProcess } from "../kit/process.ts";
import { noteRefusals } from "../kit/refusals.ts";
import { place } from "./shopAddress.ts";

const dist = fileURLToPath(new URL("../../dist/client", import.meta.url));

/** Pictures of the documents show the demonstration's stories. */
const pictured = process.env["SCREENS"] === undefined ? {} : { DEMO_STORIES: "true" };

/** Starts the whole program on the built pages, with its own database, and tells which browser the tests run in. */
export default async function start(config: FullConfig): Promise<() => Promise<void>> {
  if (!existsSync(dist)) throw new Error("the pages are not built: npm run build");
  const browser = await chromium.launch(config.projects[0]?.use.launchOptions);
  const name = `Chromium ${browser.version()}`;
  await browser.close();
  process.stdout.write(`The browser is ${name}\n`);
  // scripts/test.mjs reads it in the report.
  config.metadata["browser"] = name;
  const expectNoneRefused = await noteRefusals();
  const shop = shopProcess(place, {
    ADMIN_EMAILS: place.adminEmail,
    // All the buyers of a run get their money by one person.
    ADJUST_LIMIT: "1000000,100000000",
    WEBHOOK_PRIVATE: "127.0.0.1",
    WEBHOOK_PORTS: "1024-65535",
    ...pictured,
  });
  try {
    await shop.start();
  } catch (fault) {
    await shop.remove();
    throw fault;
  }
  return async () => {
    await shop.remove();
    await expectNoneRefused();
  };
}
