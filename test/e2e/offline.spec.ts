import { readFileSync } from "node:fs";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { basename } from "node:path";
import { type BrowserContext, expect, type Page, test } from "@playwright/test";
import { languageCodes, languages } from "../../src/i18n/languages.ts";
import { enter, newBuyer } from "./buyer.ts";
import { place } from "./shopAddress.ts";
import { expectAccessible, expectFits, kept } from "./fixtures.ts";

test.use({ serviceWorkers: "allow" });

async function openKept(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    if (navigator.serviceWorker.controller) return;
    await new Promise((done) => navigator.serviceWorker.addEventListener("controllerchange", done));
  });
}

function keptIn(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const names = await caches.keys();
    const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    return requests.flat().map(({ url }) => url.slice(location.origin.length));
  });
}

const headings = {
  en: "No connection",
  ru: "Нет связи",
  es: "Sin conexión",
  zh: "无法连接",
  ar: "لا يوجد اتصال",
  hi: "कनेक्शन नहीं है",
};

async function seesOfflinePage(page: Page, path: string, language: keyof typeof headings): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole("heading", { level: 1, name: headings[language] })).toBeVisible();
  await expect(page.locator("html")).toHaveAttribute("dir", languages[language].direction);
}

test("without a connection a page of ours says so, in the language of the address, and fits", async ({
  page,
  context,
}) => {
  await openKept(page, "/en");
  await context.setOffline(true);
  for (const language of languageCodes) {
    await seesOfflinePage(page, `/${language}/docs`, language);
    await expectFits(page);
  }
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await seesOfflinePage(page, "/ar/dashboard", "ar");
    await expectAccessible(page);
  }
});

test(
  "an address without a language is answered in the one that was chosen",
  { tag: "@full" },
  async ({ page, context }) => {
    await openKept(page, "/hi");
    await expect
      .poll(() => context.cookies().then((all) => all.find(({ name }) => name === "language")?.value))
      .toBe("hi");
    await context.setOffline(true);
    await seesOfflinePage(page, "/dashboard", "hi");
  },
);

test("the page that was wanted comes back by itself, and by the link", async ({ page, context }) => {
  await openKept(page, "/en");
  await context.setOffline(true);
  await seesOfflinePage(page, "/en/docs?from=here", "en");
  await context.setOffline(false);
  await expect(page.getByRole("heading", { level: 1, name: headings.en })).toBeHidden();
  await expect(page.getByRole("navigation").first()).toBeVisible();
  expect(new URL(page.url()).search).toBe("?from=here");
  await context.setOffline(true);
  await seesOfflinePage(page, "/en/docs?again=1", "en");
  await expect(page.getByRole("link", { name: "Try now" })).toHaveAttribute("href", "");
});

/** A proxy to the shop; while it is `away` it answers without it. */
async function openProxy() {
  let isAway = false;
  const server = createServer((asked, answer) => {
    if (isAway && asked.url !== "/robots.txt") return answer.writeHead(502).end("Bad Gateway");
    const { method, headers, url } = asked;
    const passed = request({ port: place.port, method, headers, path: url }, (said) => {
      answer.writeHead(said.statusCode ?? 0, said.headers);
      said.pipe(answer);
    });
    passed.on("error", () => answer.destroy());
    answer.on("close", () => passed.destroy());
    return asked.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    be: (away: boolean) => {
      isAway = away;
    },
    close: () => server.close().closeAllConnections(),
  };
}

test(
  "a shop that is away behind its proxy is told by the same page, which comes back when the shop does",
  { tag: "@full" },
  async ({ page }) => {
    const proxy = await openProxy();
    try {
      await openKept(page, `${proxy.url}/en`);
      proxy.be(true);
      await seesOfflinePage(page, `${proxy.url}/hi/docs?from=here`, "hi");
      let loads = 0;
      page.on("load", () => loads++);
      await page.waitForResponse((said) => said.status() === 502);
      await page.waitForResponse((said) => said.status() === 502);
      expect(loads).toBe(0);
      proxy.be(false);
      await expect(page.getByRole("heading", { level: 1, name: headings.hi })).toBeHidden();
      await expect(page.getByRole("navigation").first()).toBeVisible();
    } finally {
      proxy.close();
    }
  },
);

test("who opens the offline page with a connection finds himself at home", async ({ page }) => {
  await page.goto("/es/offline");
  await expect(page).toHaveURL(/\/es$/);
});

test("a page that the browser draws alone is asked for anew when its texts did not come", async ({
  page,
}) => {
  let isCut = false;
  await page.route("**/assets/en-*.js", (route) => {
    const first = !isCut;
    isCut = true;
    return first ? route.abort() : route.continue();
  });
  await page.goto("/en/dashboard");
  await expect(page.getByRole("dialog", { name: "Sign in" })).toBeVisible();
  expect(isCut).toBe(true);
});

/** Code of the sign-in that other parts have, too, and home has not. */
function sharedFile(): string {
  const built = new URL("../../dist/client/.vite/manifest.json", import.meta.url);
  const manifest = JSON.parse(readFileSync(built, "utf8")) as Record<
    string,
    { file: string; imports?: string[] }
  >;
  const importsOf = (name: string): string[] =>
    (manifest[name]?.imports ?? []).flatMap((each) => [each, ...importsOf(each)]);
  const ofHome = new Set(["index.html", ...importsOf("index.html")]);
  const shared = importsOf("src/web/auth/AuthDialog.tsx").find((name) => !ofHome.has(name)) ?? "";
  return basename(manifest[shared]?.file ?? "");
}

test.describe(() => {
  // The worker would bypass the tests' routes and reconnect at its own time.
  test.use({ serviceWorkers: "block" });

  test("an open page says that the connection is gone, and stops saying it", async ({ page, context }) => {
    await page.goto("/en");
    const notice = page.getByText("You are offline.");
    await expect(notice).toBeHidden();
    await context.setOffline(true);
    await expect(notice).toBeVisible();
    const enterButton = page.getByRole("button", { name: "Sign in", exact: true });
    await enterButton.click();
    const lost = page.getByRole("alert").filter({ hasText: "This part did not load" });
    await expect(lost.getByRole("button", { name: "Reload the page" })).toBeInViewport();
    await page.getByLabel("Language").selectOption("Español");
    const messages = page.getByRole("region", { name: "Messages" });
    await expect(messages.getByText("This part did not load")).toBeVisible();
    await expect(page).toHaveURL(/\/en$/);
    // The missing part loads after the reconnect, without a new page.
    await page.evaluate(() => ((globalThis as { samePage?: boolean }).samePage = true));
    await context.setOffline(false);
    await expect(notice).toBeHidden();
    await expect(page.getByRole("dialog", { name: "Sign in" })).toBeVisible();
    await page.keyboard.press("Escape");
    await page.getByLabel("Language").selectOption("Español");
    await expect(page.locator("html")).toHaveAttribute("lang", "es");
    await page.getByRole("button", { name: "Entrar", exact: true }).click();
    const dialog = page.getByRole("dialog");
    await expect(dialog).toBeVisible();
    expect(await page.evaluate(() => (globalThis as { samePage?: boolean }).samePage)).toBe(true);
    await context.setOffline(true);
    await expect(dialog.getByText("Sin conexión.")).toHaveCount(1);
  });

  for (const [file, kind] of [
    ["AuthDialog-*.js", "code"],
    ["*.css", "styles"],
    [sharedFile(), "code that parts share"],
  ] as const)
    test(`a dialog that could not be loaded, for want of its ${kind}, opens when it is asked for again`, async ({
      page,
    }) => {
      await page.goto("/en");
      await failThrice(page, `**/assets/${file}`);
      const signIn = page.getByRole("button", { name: "Sign in", exact: true });
      await signIn.click();
      await expect(page.getByRole("alert").filter({ hasText: "This part did not load" })).toBeVisible();
      await signIn.click();
      await expect(page.getByRole("dialog", { name: "Sign in" })).toBeVisible();
    });

  test("a press and a choice that come before the page has its script are not lost", async ({ page }) => {
    const pressed = Promise.withResolvers<void>();
    await page.route("**/assets/index-*.js", async (route) => {
      await pressed.promise;
      await route.continue();
    });
    await page.goto("/en", { waitUntil: "commit" });
    await page.getByRole("combobox", { name: "Site" }).selectOption("reddit");
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    pressed.resolve();
    await expect(page.getByRole("dialog", { name: "Sign in" })).toBeVisible();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Get email" }).click();
    await expect(page.getByRole("dialog")).toBeVisible();
    await expect.poll(() => kept(page, "pendingEmailRequest")).toContain('"reddit"');
  });

  test("a page of which each file is lost at first comes by itself, with its styles", async ({
    page,
    request,
  }) => {
    const buyer = await newBuyer(request);
    await enter(page, buyer);
    const asked = new Map<string, number>();
    await page.route("**/assets/*", (route) => {
      const address = route.request().url();
      const times = (asked.get(address) ?? 0) + 1;
      asked.set(address, times);
      return times === 1 ? route.abort() : route.continue();
    });
    await page.goto("/en/dashboard");
    const title = page.getByRole("navigation", { name: "Dashboard" }).getByRole("link", { name: "Orders" });
    await expect(title).toHaveAttribute("aria-current", "page");
    await expect(title).not.toHaveCSS("text-decoration-line", "underline");
    expect(Math.max(...asked.values())).toBeGreaterThan(1);
  });

  test("a page that could not be loaded comes when it is gone to again", async ({ page }) => {
    await page.goto("/en");
    await failThrice(page, "**/assets/Docs-*.js");
    const toDocs = page.getByRole("link", { name: "API docs" }).filter({ visible: true }).first();
    await toDocs.click();
    await expect(page.getByRole("alert").filter({ hasText: "This part did not load" })).toBeVisible();
    await page.goBack();
    await toDocs.click();
    await expect(page.getByRole("heading", { level: 1, name: "API" })).toBeVisible();
  });
});

test("nothing of an account is kept: built files, the offline pages and what they are made of", async ({
  page,
  request,
}) => {
  const buyer = await newBuyer(request);
  await enter(page, buyer);
  await openKept(page, "/en/dashboard");
  await page.reload();
  await expect(page.getByText(buyer.email.split("@")[0] ?? buyer.email).first()).toBeVisible();
  await page.getByRole("link", { name: "API docs" }).filter({ visible: true }).first().click();
  await expect(page).toHaveURL(/\/en\/docs/);
  const files = await keptIn(page);
  expect(files.filter((path) => path.startsWith("/assets/")).length).toBeGreaterThan(5);
  const allowed = new RegExp(
    String.raw`^/(assets/[\w.-]+|(${languageCodes.join("|")})/offline|theme\.js|offline\.js|favicon\.svg)$`,
  );
  expect(files.filter((path) => !allowed.test(path))).toEqual([]);
});

test("a new version takes over, keeps the files of the one before and forgets older ones", async ({
  page,
  context,
}) => {
  await openKept(page, "/en");
  const namesOf = () => page.evaluate(() => caches.keys());
  const [now = ""] = await namesOf();
  await page.evaluate(async () => {
    await caches.delete((await caches.keys())[0] ?? "");
    for (const name of ["postern-oldest", "postern-older", "postern-before"]) await caches.open(name);
  });
  await installAnew(context, page);
  await expect.poll(namesOf).toEqual(["postern-before", now]);
});

async function installAnew(context: BrowserContext, page: Page): Promise<void> {
  await page.evaluate(async () => {
    await (await navigator.serviceWorker.getRegistration())?.unregister();
  });
  expect(context.serviceWorkers().length).toBeGreaterThan(0);
  await page.reload();
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
}

/** Aborts the first request for an address. The route stays: while one is taken away, the next request can get stuck. */
/** As often as the page asks by itself: the next press gets it. */
/** Of the addresses that are like this each is refused three times. */
async function failThrice(page: Page, like: string): Promise<void> {
  const failed = new Map<string, number>();
  await page.route(like, (route) => {
    const address = route.request().url();
    const times = failed.get(address) ?? 0;
    failed.set(address, times + 1);
    return times < 3 ? route.abort() : route.continue();
  });
}
