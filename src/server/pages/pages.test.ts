import cookie from "@fastify/cookie";
import Fastify, { type FastifyInstance } from "fastify";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { pagesRoutes, sendPage } from "./pages.routes.ts";
import { openPages } from "./pages.ts";

// A build in small: the renderer repeats what it was given, so that these tests want no build of the real pages.
const renderer = `
export const publicPages = ["", "docs"];
const known = ["", "docs", "dashboard"];
export async function render(language, pathname, data) {
  const page = pathname.split("/").slice(2).join("/");
  const isFound = ["en","ru","es","zh","ar","hi"].includes(pathname.split("/")[1]) && known.includes(page);
  const isPublic = publicPages.includes(page) && isFound;
  return { html: "<main>" + pathname + " " + data.domains.join() + "</main>", title: "A & B", description: "d", isPublic, isFound, files: ["texts"] };
}`;
const template = `<!doctype html><html lang="en" dir="ltr"><head><!--head--></head><body><div id="root"><!--app--></div><script type="application/json" id="data"><!--data--></script></body></html>`;

const dist = mkdtempSync(join(tmpdir(), "postern-pages-"));
const domains = ["letters.test"];
let app: FastifyInstance;

beforeAll(async () => {
  mkdirSync(join(dist, "client/.vite"), { recursive: true });
  mkdirSync(join(dist, "client/assets"), { recursive: true });
  mkdirSync(join(dist, "ssr"), { recursive: true });
  writeFileSync(join(dist, "ssr/package.json"), '{"type":"module"}');
  writeFileSync(join(dist, "ssr/render.js"), renderer);
  writeFileSync(join(dist, "client/index.html"), template);
  writeFileSync(
    join(dist, "client/.vite/manifest.json"),
    '{"texts":{"file":"assets/texts.js","imports":["shared","index.html"],"css":["assets/texts.css"]},"shared":{"file":"assets/shared.js","css":["assets/shared.css"]},"index.html":{"file":"assets/index.js"}}',
  );
  writeFileSync(join(dist, "client/assets/texts.js"), "1;");
  app = Fastify({ routerOptions: { ignoreTrailingSlash: true }, exposeHeadRoutes: false });
  await app.register(cookie);
  const pages = await openPages({
    dist,
    publicUrl: "https://shop.example",
    demo: true,
    supportUrl: "https://t.me/support",
    captcha: { kind: "altcha" },
    domains: async () => domains,
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
  expect(body).toContain('<link rel="modulepreload" href="/assets/texts.js">');
  expect(body).toContain('<link rel="stylesheet" crossorigin href="/assets/shared.css">');
  expect(body).toContain('<link rel="stylesheet" crossorigin href="/assets/texts.css">');
  expect(body).not.toContain("assets/index.js");
  expect(headers["x-robots-tag"]).toBeUndefined();
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
});

test.each([
  ["/", "/hi"],
  ["/?a=1&ref=word", "/hi?a=1"],
  ["/home", "/hi"],
  ["/docs", "/hi/docs"],
  ["/dashboard?from=x&to=y", "/hi/dashboard?from=x&to=y"],
  ["/payments/pay?id=7", "/hi/payments/pay?id=7"],
])("%s leads to %s when Hindi was saved", async (url, to) => {
  const { statusCode, headers } = await get(url, { cookie: "language=hi" });
  expect({ statusCode, to: headers.location }).toEqual({ statusCode: 302, to });
});

test("without a saved language the browser's own storage is asked, and no script is written into the page", async () => {
  const { body } = await get('/?x="><script>alert(1)</script>');
  expect(body).toContain('src="/go.js"');
  expect(body).not.toContain("alert(1)</script>");
  expect([...body.matchAll(/<script/g)]).toHaveLength(1);
});

test("a referral word is remembered for ninety days; a malformed one is not", async () => {
  expect((await get("/?ref=my-Word_1")).headers["set-cookie"]).toBe(
    "ref_code=my-Word_1; Max-Age=7776000; Path=/; SameSite=Lax",
  );
  expect((await get("/en?ref=my-Word_1")).headers["set-cookie"]).toContain("ref_code=my-Word_1");
  expect((await get("/?ref=no%20word")).headers["set-cookie"]).toBeUndefined();
});

test("only scripts of this server run", async () => {
  const { headers } = await get("/en");
  expect(headers["content-security-policy"]).toContain("script-src 'self';");
  expect(headers["strict-transport-security"]).toBeDefined();
});

test("a page that did not change is not sent again; a changed catalogue changes the page", async () => {
  const first = await get("/en");
  expect((await get("/en", { "if-none-match": String(first.headers.etag) })).statusCode).toBe(304);
  domains.push("quill.test");
  const later = await get("/en", { "if-none-match": String(first.headers.etag) });
  expect(later.statusCode).toBe(200);
  expect(later.body).toContain("letters.test,quill.test");
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
