import cookie from "@fastify/cookie";
import Fastify, { type FastifyInstance } from "fastify";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { now } from "../platform/clock.ts";
import { pagesRoutes, sendPage } from "./pages.routes.ts";
import { openPages } from "./pages.ts";

// A small build: its renderer repeats its input, so that no real build is needed.
const renderer = `
export const publicPages = ["", "docs"];
export const appTexts = async (language) => ({ name: "Postern " + language, description: "d", dashboard: "D", docs: "A" });
export const docsTexts = ["docs.md", "docs/webhooks.md"];
export const docsText = async (language, path, { domains }) => path + " in " + language + " " + domains.map((domain) => domain.name).join();
const known = ["", "docs", "dashboard", "offline"];
export const isPage = (pathname) => ["en","ru","es","zh","ar","hi"].includes(pathname.split("/")[1]) && known.includes(pathname.split("/").slice(2).join("/"));
export const movedTo = async (language, pathname) => pathname.endsWith("/docs/order") ? "/" + language + "/docs#order" : undefined;
export async function render(language, pathname, data) {
  const page = pathname.split("/").slice(2).join("/");
  const isFound = isPage(pathname);
  const isPublic = publicPages.includes(page) && isFound;
  return { html: "<main>" + pathname + " " + data.domains?.map((domain) => domain.name).join() + "</main>", title: "A & B", description: "d", picture: "Postern: <p>", noScript: page === "offline" ? "" : "Needs <scripts>", isPublic, isFound, isStill: page === "offline", files: ["texts"] };
}`;
const template = `<!doctype html><html lang="en" dir="ltr"><head><!--head--><script type="module" crossorigin src="/assets/index.js"></script><link rel="modulepreload" crossorigin href="/assets/paths.js"><link rel="stylesheet" crossorigin href="/assets/index.css"></head><body><!--noscript--><div id="root"><!--app--></div><script type="application/json" id="data"><!--data--></script></body></html>`;

const dist = mkdtempSync(join(tmpdir(), "postern-pages-"));
const domains = [{ name: "letters.test", price: "0.0035" }];
const news = [{ title: "Quill is on sale" }];
const flooder = "192.0.2.66";
/** The database is away for the limiter. */
const uncounted = "192.0.2.67";
let app: FastifyInstance;
const securityContact: string[] = [];

beforeAll(async () => {
  mkdirSync(join(dist, "client/.vite"), { recursive: true });
  mkdirSync(join(dist, "client/assets"), { recursive: true });
  mkdirSync(join(dist, "ssr"), { recursive: true });
  writeFileSync(join(dist, "ssr/package.json"), '{"type":"module"}');
  writeFileSync(join(dist, "ssr/render.js"), renderer);
  writeFileSync(join(dist, "client/index.html"), template);
  writeFileSync(
    join(dist, "client/.vite/manifest.json"),
    '{"texts":{"file":"assets/texts.js","imports":["shared","paths","index.html"],"css":["assets/texts.css"]},"shared":{"file":"assets/shared.js","css":["assets/shared.css"]},"paths":{"file":"assets/paths.js"},"index.html":{"file":"assets/index.js","imports":["paths"],"css":["assets/index.css"]},' +
      '"node_modules/@fontsource-variable/geist/files/geist-latin-wght-normal.woff2":{"file":"assets/latin.woff2"},' +
      '".cache/fonts/arabic-0.woff2":{"file":"assets/arabic.woff2"}}',
  );
  writeFileSync(join(dist, "client/assets/texts.js"), "1;");
  writeFileSync(join(dist, "ssr/worker.js"), "keep(kept);\nexport {};\n");
  for (const file of ["theme.js", "offline.js", "favicon.svg"])
    writeFileSync(join(dist, "client", file), file);
  app = Fastify({ routerOptions: { ignoreTrailingSlash: true }, exposeHeadRoutes: false });
  await app.register(cookie);
  const pages = await openPages({
    dist,
    settings: {
      publicUrl: "https://shop.example",
      demo: true,
      supportUrl: "https://t.me/support",
      captcha: { kind: "altcha" },
      withdrawals: "off",
    },
    securityContact,
    telegram: false,
    domains: async () => domains,
    news: async (language) => news.map(({ title }) => ({ title: `${title} (${language})` })),
    stories: async (language) => [{ title: `Meadow in pictures (${language})` }],
    hasPartner: async (word) =>
      word === "away" ? Promise.reject(new Error("the database is away")) : word === "boss",
    admit: async (address) => {
      if (address === uncounted) throw new Error("the database is away");
      return address === flooder ? 7 : undefined;
    },
  });
  await pagesRoutes(app, pages);
  app.setNotFoundHandler((request, reply) => sendPage(pages, request, reply));
});

afterAll(async () => {
  await app.close();
  rmSync(dist, { recursive: true });
});

const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers });

test("a page says its language and direction in its first tag, and its other languages in its head", async () => {
  const { body, headers } = await get("/ar/docs");
  expect(body).toMatch(/^<!doctype html><html lang="ar" dir="rtl">/);
  expect(body).toContain('<link rel="canonical" href="https://shop.example/ar/docs">');
  expect(body).toContain('hreflang="hi" href="https://shop.example/hi/docs"');
  expect(body).toContain('hreflang="x-default" href="https://shop.example/en/docs"');
  expect(body).toContain("<title>A &#38; B</title>");
  expect(headers["x-robots-tag"]).toBeUndefined();
});

test("a page fetches its styles first, then its scripts, each once", async () => {
  const { body } = await get("/en/docs");
  const loaded = [...body.matchAll(/(?:href|src)="\/(?:assets\/)?([\w.]+\.(?:css|js))"/g)].map(
    ([, file]) => file,
  );
  const styles = ["index.css", "shared.css", "texts.css"];
  expect(loaded).toEqual([...styles, "shared.js", "texts.js", "index.js", "paths.js"]);
});

test("a shared link shows a picture of its language, by its whole address and with its words", async () => {
  const { body } = await get("/es");
  const said = (property: string) => body.match(new RegExp(`property="${property}" content="([^"]*)"`))?.[1];
  expect({
    title: said("og:title"),
    image: said("og:image"),
    words: said("og:image:alt"),
    url: said("og:url"),
    locale: said("og:locale"),
  }).toEqual({
    title: "A &#38; B",
    image: "https://shop.example/share/es.png",
    words: "Postern: &#60;p&#62;",
    url: "https://shop.example/es",
    locale: "es_ES",
  });
  expect(body).toContain('<meta name="twitter:card" content="summary_large_image">');
  expect([...body.matchAll(/og:locale:alternate/g)]).toHaveLength(5);
});

test("home tells search engines whose it is, in a block that runs nothing", async () => {
  const block =
    (await get("/hi")).body.match(/<script type="application\/ld\+json">(.*?)<\/script>/)?.[1] ?? "";
  const { "@graph": graph } = JSON.parse(block) as { "@graph": Record<string, unknown>[] };
  expect(graph.map((thing) => thing["@type"])).toEqual(["Organization", "WebSite"]);
  expect(graph[1]).toMatchObject({ url: "https://shop.example/hi", inLanguage: "hi" });
  expect((await get("/hi/docs")).body).not.toContain("ld+json");
});

test("what is not public says nothing to search engines and to other sites", async () => {
  for (const url of ["/en/dashboard", "/en/nope"]) {
    const { body, headers } = await get(url);
    expect(body).not.toMatch(/canonical|hreflang|og:|ld\+json/);
    expect(headers["x-robots-tag"]).toBe("noindex");
  }
});

test("the browser fetches the fonts of the page's language at once, and no others", async () => {
  const fontsIn = async (url: string) =>
    [...(await get(url)).body.matchAll(/<link rel="preload" href="\/assets\/(\w+)\.woff2" as="font"/g)].map(
      ([, name]) => name,
    );
  expect(await fontsIn("/en")).toEqual(["latin"]);
  expect(await fontsIn("/ar")).toEqual(["latin", "arabic"]);
});

test("a browser without scripts is told that it lacks them", async () => {
  expect((await get("/en/dashboard")).body).toContain("<noscript><p>Needs &#60;scripts&#62;</p></noscript>");
});

test("the offline page stands without the pages' scripts and without the shop's state", async () => {
  const { body, headers } = await get("/ar/offline");
  expect(body).toContain('<html lang="ar" dir="rtl">');
  expect(body).not.toContain("noscript");
  expect([...body.matchAll(/<script[^>]*>/g)].map(([tag]) => tag)).toEqual([
    '<script src="/offline.js" defer>',
    '<script type="application/json" id="data">',
  ]);
  expect(body).not.toContain("modulepreload");
  expect(body).toContain('href="/assets/texts.css"');
  expect(body).toContain('id="data">{}</script>');
  expect(headers["x-robots-tag"]).toBe("noindex");
});

test("the service worker is told what to keep: the offline pages and what they are made of", async () => {
  const { body, headers } = await get("/sw.js");
  expect(headers).toMatchObject({
    "content-type": "text/javascript; charset=utf-8",
    "cache-control": "no-cache",
  });
  expect(headers["content-security-policy"]).toContain("connect-src 'self'");
  const [, said = ""] = body.match(/^const kept = (.*);\nkeep\(kept\);$/) ?? [];
  const kept = JSON.parse(said) as { version: string; languages: string[]; files: string[] };
  expect(kept.languages).toEqual(["en", "ru", "es", "zh", "ar", "hi"]);
  expect(kept.files).toEqual([
    ...kept.languages.map((language) => `/${language}/offline`),
    "/theme.js",
    "/offline.js",
    "/favicon.svg",
    "/assets/index.css",
    "/assets/shared.css",
    "/assets/texts.css",
    "/assets/latin.woff2",
  ]);
});

test("the app is installed in the language of the page", async () => {
  expect((await get("/ar/docs")).body).toContain('<link rel="manifest" href="/ar/manifest.webmanifest">');
  const { headers, body } = await get("/ar/manifest.webmanifest");
  expect(headers["content-type"]).toMatch(/^application\/manifest\+json/);
  const manifest = JSON.parse(body) as Record<string, unknown>;
  expect(manifest).toMatchObject({
    id: "/",
    name: "Postern ar",
    lang: "ar",
    dir: "rtl",
    start_url: "/ar/dashboard",
    display: "standalone",
  });
});

test("the dashboard is kept out of search engines", async () => {
  const { statusCode, body, headers } = await get("/en/dashboard?from=x");
  expect(statusCode).toBe(200);
  expect(body).toContain('<meta name="robots" content="noindex">');
  expect(headers["x-robots-tag"]).toBe("noindex");
});

test.each(["/en/nope", "/de/docs", "/constructor"])(
  "%s is not found, and the page names the path",
  async (url) => {
    const { statusCode, body } = await get(url);
    expect(statusCode).toBe(404);
    expect(body).toContain(`<main>${url} `);
  },
);

test("an unknown address speaks the saved language", async () => {
  expect((await get("/nope", { cookie: "language=ru" })).body).toContain('<html lang="ru"');
  const both = "language=ru; __Host-language=hi";
  expect((await get("/nope", { cookie: both })).body).toContain('<html lang="hi"');
});

test.each([
  ["/", "/hi"],
  ["/?a=1&ref=word", "/hi?a=1"],
  ["/home?ref=word", "/hi"],
  ["/dashboard?from=x&ref=word", "/hi/dashboard?from=x"],
  ["/docs", "/hi/docs"],
  ["/docs/webhooks?a=1", "/hi/docs/webhooks?a=1"],
  ["/dashboard?from=x&to=y", "/hi/dashboard?from=x&to=y"],
  ["/dashboard/statement", "/hi/dashboard/statement"],
  ["/help", "/hi/help"],
  ["/payments/pay?id=7", "/hi/payments/pay?id=7"],
  ["/admin?ref=word", "/hi/admin"],
  ["/admin/stories?a=1", "/hi/admin/stories?a=1"],
])("%s leads to %s when Hindi was saved", async (url, to) => {
  const { statusCode, headers } = await get(url, { cookie: "language=hi" });
  expect({ statusCode, to: headers.location }).toEqual({ statusCode: 302, to });
});

test("an old address of the documentation leads for good to where its content is now", async () => {
  const { statusCode, headers } = await get("/ar/docs/order/");
  expect({ statusCode, to: headers.location }).toEqual({ statusCode: 301, to: "/ar/docs#order" });
  expect((await get("/ar/docs/nowhere")).statusCode).toBe(404);
});

test("without a saved language the browser's own storage is asked, and no script is written into the page", async () => {
  const { body } = await get('/?x="><script>alert(1)</script>');
  expect(body).toContain('src="/go.js"');
  expect(body).not.toContain("alert(1)</script>");
  expect([...body.matchAll(/<script/g)]).toHaveLength(1);
});

test("a partner's word replaces the one before; nobody's word does not, nor one that cannot be looked up", async () => {
  const after = async (word: string, cookie: string) =>
    (await get(`/en?ref=${word}`, { cookie })).headers["set-cookie"];
  expect(await after("boss", "ref_code=other")).toContain("ref_code=boss");
  expect(await after("producthunt", "ref_code=boss")).toBeUndefined();
  expect(await after("away", "ref_code=boss")).toBeUndefined();
  expect(await after("producthunt", "")).toContain("ref_code=producthunt");
});

test("a referral word is remembered for ninety days; a malformed one is not", async () => {
  expect((await get("/?ref=my-Word_1")).headers["set-cookie"]).toBe(
    "ref_code=my-Word_1; Max-Age=7776000; Path=/; Secure; SameSite=Lax",
  );
  expect((await get("/en?ref=my-Word_1")).headers["set-cookie"]).toContain("ref_code=my-Word_1");
  expect((await get("/?ref=no%20word")).headers["set-cookie"]).toBeUndefined();
  expect((await get("/en?ref=no%20word")).headers["set-cookie"]).toBeUndefined();
});

test.each([
  ["/en?ref=my-Word_1", "/en"],
  ["/ar/docs?x=1&ref=my-Word_1&y=2", "/ar/docs?x=1&y=2"],
  ["/en?ref=no%20word", "/en"],
  ["/en?ref=", "/en"],
])("the referral word of %s is in no later address", async (url, to) => {
  const { statusCode, headers } = await get(url);
  expect([statusCode, headers.location, headers["cache-control"]]).toEqual([302, to, "no-store"]);
  expect((await get(to)).headers["set-cookie"]).toBeUndefined();
});

test("a referral word leads nobody out of the shop", async () => {
  for (const url of ["//evil.example/?ref=word", "/\\evil.example/?ref=word"])
    expect((await get(url)).headers.location).toBeUndefined();
});

test("only scripts of this server run", async () => {
  const { headers } = await get("/en");
  expect(headers["content-security-policy"]).toContain("script-src 'self';");
});

test("a page that did not change is not sent again; a changed catalogue changes the page", async () => {
  const first = await get("/en");
  expect((await get("/en", { "if-none-match": String(first.headers.etag) })).statusCode).toBe(304);
  domains.push({ name: "quill.test", price: "0.0125" });
  const later = await get("/en", { "if-none-match": String(first.headers.etag) });
  expect(later.statusCode).toBe(200);
  expect(later.body).toContain("letters.test,quill.test");
});

test("home brings the announcements in its language, at once when there is another, and no other page does", async () => {
  const first = await get("/ru");
  expect(first.body).toContain("Quill is on sale (ru)");
  news.push({ title: "Gmail is back" });
  const later = await get("/ru", { "if-none-match": String(first.headers.etag) });
  expect([later.statusCode, later.body]).toEqual([200, expect.stringContaining("Gmail is back (ru)")]);
  expect((await get("/ru/docs")).body).not.toContain("Quill is on sale");
});

test("home and the dashboard bring the stories in their language, and no other page does", async () => {
  for (const page of ["/hi", "/hi/dashboard"])
    expect((await get(page)).body).toContain("Meadow in pictures (hi)");
  expect((await get("/hi/docs")).body).not.toContain("Meadow in pictures");
});

test.each([
  ["/llms.txt", "text/plain", "llms.txt in en"],
  ["/docs.md", "text/markdown", "docs.md in en"],
  ["/hi/docs.md", "text/markdown", "docs.md in hi"],
  ["/ar/docs/webhooks.md", "text/markdown", "docs/webhooks.md in ar"],
])("%s is the documentation as text, with the shop's mail domains", async (url, type, begins) => {
  const { statusCode, headers, body } = await get(url);
  expect([statusCode, headers["content-type"]]).toEqual([200, `${type}; charset=utf-8`]);
  expect(body).toBe(`${begins} ${domains.map(({ name }) => name).join()}`);
  expect((await get(url, { "if-none-match": String(headers.etag) })).statusCode).toBe(304);
});

test("pages are packed for browsers that take it", async () => {
  expect((await get("/en", { "accept-encoding": "gzip, br" })).headers["content-encoding"]).toBe("br");
  expect((await get("/en", { "accept-encoding": "gzip" })).headers["content-encoding"]).toBe("gzip");
});

test("built files are kept for ever, and the unfilled template is not served", async () => {
  expect((await get("/assets/texts.js")).headers["cache-control"]).toContain("immutable");
  expect((await get("/index.html")).statusCode).toBe(404);
});

test("the sitemap names every public page in every language, and not the dashboard", async () => {
  const { body } = await get("/sitemap.xml");
  expect([...body.matchAll(/<loc>/g)]).toHaveLength(12);
  expect(body).not.toContain("dashboard");
  expect((await get("/robots.txt")).body).toContain("Sitemap: https://shop.example/sitemap.xml");
});

test("security.txt names where weaknesses are reported, for less than a year, and is there only with a contact", async () => {
  const path = "/.well-known/security.txt";
  expect((await get(path)).statusCode).toBe(404);
  securityContact.push("mailto:security@shop.example", "https://shop.example/report");
  onTestFinished(() => void securityContact.splice(0));
  const { body, headers, statusCode } = await get(path);
  expect([statusCode, headers["content-type"]]).toEqual([200, "text/plain; charset=utf-8"]);
  const [, expires = ""] = /^Expires: (.+)$/m.exec(body) ?? [];
  expect(body.split("\n")).toEqual([
    "Contact: mailto:security@shop.example",
    "Contact: https://shop.example/report",
    `Expires: ${expires}`,
    "Preferred-Languages: en, ru, es, zh, ar, hi",
    "Canonical: https://shop.example/.well-known/security.txt",
    "",
  ]);
  const days = (Date.parse(expires) - now().getTime()) / 86_400_000;
  expect(days).toBeGreaterThan(30);
  expect(days).toBeLessThan(365);
});

test("who floods the shop with addresses that are no page waits, and reads its pages all the same", async () => {
  const from = (url: string) => app.inject({ url, remoteAddress: flooder });
  for (const url of ["/en/nowhere", "/nowhere/at/all", "/ru/nowhere?a=1"]) {
    const answer = await from(url);
    expect([answer.statusCode, answer.headers["retry-after"]]).toEqual([429, "7"]);
    expect(answer.json()).toMatchObject({ status: "error", value: "limit" });
    expect((await get(url)).statusCode).toBe(404);
  }
  expect((await from("/en")).statusCode).toBe(200);
  expect((await from("/en/")).statusCode).toBe(200);
});

test("without a database every page is there, also one that nobody has read yet, and where none can be had a page says so", async () => {
  const from = (url: string) => app.inject({ url, remoteAddress: uncounted });
  for (const url of ["/zh", "/zh/docs", "/zh/dashboard/", "/zh/dashboard?from=x"])
    expect([url, (await from(url)).statusCode]).toEqual([url, 200]);
  const away = await from("/zh/nope");
  expect([away.statusCode, away.headers["content-type"], away.headers["retry-after"]]).toEqual([
    503,
    "text/html; charset=utf-8",
    "10",
  ]);
  expect(away.headers["cache-control"]).toBe("no-store");
  expect(away.body).toContain("<main>/zh/offline ");
  expect(away.body).toContain('<script src="/offline.js" defer>');
});
