import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { referralCookie, referralWordPattern } from "../../contract/fields.ts";
import { referralCookieDays } from "../../contract/limits.ts";
import { defaultLanguage, isLanguage, type Language, languageCodes } from "../../i18n/languages.ts";
import { now } from "../platform/clock.ts";
import { Limited } from "../platform/http/answer.ts";
import { addressOf } from "../platform/http/client-address.ts";
import { maskUrl } from "../platform/http/mask-url.ts";
import { sendLimited } from "../platform/http/send.ts";
import { escapeHtml } from "./pages.document.ts";
import type { Page } from "./pages.pack.ts";
import type { Pages } from "./pages.ts";

/** Addresses without a language, by page: those of spec B §2 and spec O §2, and what people type or share beside them. */
const unprefixed = {
  "/": "",
  "/home": "",
  "/dashboard": "/dashboard",
  "/dashboard/api": "/dashboard/api",
  "/dashboard/investor": "/dashboard/investor",
  "/dashboard/partner": "/dashboard/partner",
  "/dashboard/payments": "/dashboard/payments",
  "/dashboard/statement": "/dashboard/statement",
  "/docs": "/docs",
  "/docs/:page": "/docs",
  "/help": "/help",
  "/payments/pay": "/payments/pay",
  "/admin": "/admin",
  "/admin/stories": "/admin/stories",
};

const awaySeconds = 10;
const referralSeconds = referralCookieDays * 24 * 60 * 60;

/** Registers the pages and the files of the build, after @fastify/cookie. */
export async function pagesRoutes(app: FastifyInstance, pages: Pages): Promise<void> {
  for (const [path, tail] of Object.entries(unprefixed)) {
    app.get<{ Params: { page?: string } }>(path, { exposeHeadRoute: true }, async (request, reply) => {
      await keepReferral(pages, request, reply);
      const { page } = request.params;
      return redirect(
        pages,
        request,
        reply,
        page === undefined ? tail : `${tail}/${encodeURIComponent(page)}`,
      );
    });
  }
  for (const [path, read] of pages.texts)
    app.get(path, { exposeHeadRoute: true }, async (request, reply) =>
      write(pages, request, reply, await read()),
    );
  const show = (request: FastifyRequest, reply: FastifyReply) => sendPage(pages, request, reply);
  for (const language of languageCodes) {
    app.get(`/${language}`, { exposeHeadRoute: true }, show);
    app.get(`/${language}/manifest.webmanifest`, (_request, reply) =>
      reply
        .headers(pages.headers)
        .header("cache-control", "no-cache")
        .type("application/manifest+json; charset=utf-8")
        .send(pages.manifests[language]),
    );
    app.get(`/${language}/*`, { exposeHeadRoute: true }, show);
  }
  // Never cached; the root path gives it the scope of all pages.
  app.get("/sw.js", (_request, reply) =>
    reply
      .headers(pages.headers)
      .header("cache-control", "no-cache")
      .type("text/javascript; charset=utf-8")
      .send(pages.worker),
  );
  app.get("/robots.txt", (_request, reply) => reply.type("text/plain; charset=utf-8").send(pages.robots));
  app.get("/.well-known/security.txt", (_request, reply) => {
    const text = pages.securityText(now());
    return text === undefined ? reply.callNotFound() : reply.type("text/plain; charset=utf-8").send(text);
  });
  app.get("/sitemap.xml", (_request, reply) => reply.type("application/xml").send(pages.sitemap));
  await app.register(fastifyStatic, {
    root: pages.clientFolder,
    index: false,
    wildcard: false,
    globIgnore: ["index.html", ".vite/**", "**/*.br", "**/*.gz"],
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, path) => {
      // The name of a built file changes with its content.
      const isBuilt = path.includes("/assets/");
      reply.header("cache-control", isBuilt ? "public, max-age=31536000, immutable" : "no-cache");
    },
  });
}

/** Answers any address with its page; an unknown one with "route not found" and 404. Our own faults are a page too, as a person reads it. */
export async function sendPage(
  pages: Pages,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const [pathname = "/"] = request.url.split("?");
  const first = pathname.split("/")[1];
  if (isLanguage(first) && (await keepReferral(pages, request, reply))) {
    // The redirect removes the word from the address, the history and the referrer.
    return reply
      .headers(pages.headers)
      .header("cache-control", "no-store")
      .redirect(pathname + queryWithout(request, "ref"), 302);
  }
  const language = isLanguage(first) ? first : (savedLanguage(request) ?? defaultLanguage);
  try {
    const moved = await pages.movedTo(language, pathname);
    if (moved !== undefined) return reply.headers(pages.headers).redirect(moved, 301);
    const wait = await pages.waitFor(pathname, addressOf(request));
    if (wait !== undefined) return sendLimited(reply, new Limited(wait));
    return write(pages, request, reply, await pages.read(language, pathname));
  } catch (fault) {
    const url = maskUrl(request.url, request.routeOptions.url);
    request.log.error({ err: fault, url }, "page failed");
    return sendAway(pages, reply, language);
  }
}

function write(pages: Pages, request: FastifyRequest, reply: FastifyReply, page: Page): FastifyReply {
  reply.code(page.status).headers(pages.headers).header("cache-control", "no-cache");
  reply
    .header("vary", "accept-encoding")
    .header("etag", page.etag)
    .type(`${page.type ?? "text/html"}; charset=utf-8`);
  if (!page.isPublic) reply.header("x-robots-tag", "noindex");
  if (page.status === 200 && request.headers["if-none-match"] === page.etag) return reply.code(304).send();
  const coding = page.status === 200 ? codingOf(request) : "identity";
  if (coding !== "identity") reply.header("content-encoding", coding);
  return reply.send(page.body[coding]);
}

/** Search engines retry a 503. */
function sendAway(pages: Pages, reply: FastifyReply, language: Language): FastifyReply {
  reply.code(503).headers(pages.headers).header("cache-control", "no-store");
  reply.header("retry-after", awaySeconds).header("x-robots-tag", "noindex");
  return reply.type("text/html; charset=utf-8").send(pages.away[language].body.identity);
}

/** A cookie mirrors the language of local storage; without it a script page reads local storage (spec B §2). */
function redirect(pages: Pages, request: FastifyRequest, reply: FastifyReply, tail: string) {
  const rest = tail + queryWithout(request, "ref");
  const language = savedLanguage(request);
  reply.headers(pages.headers).header("cache-control", "no-store");
  if (language) return reply.redirect(`/${language}${rest}`, 302);
  return reply
    .type("text/html; charset=utf-8")
    .send(
      `<!doctype html><html lang="${defaultLanguage}"><meta charset="utf-8"><title>Postern</title>` +
        `<script src="/go.js" data-languages="${languageCodes.join(" ")}" data-tail="${escapeHtml(rest)}"></script>` +
        `<noscript><meta http-equiv="refresh" content="0;url=/${defaultLanguage}${escapeHtml(rest)}"></noscript></html>`,
    );
}

/**
 * Saves a referral word of any address for 90 days (spec O §9, O §5). The last one counts, but one that is nobody's replaces none:
 * other sites add a `ref` of their own to the links that they show. Answers whether the address has the parameter.
 */
async function keepReferral(pages: Pages, request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
  const word = new URLSearchParams(queryOf(request)).get("ref");
  if (word === null) return false;
  if (!referralWordPattern.test(word)) request.log.warn("a referral word of the wrong shape was ignored");
  else if (request.cookies[referralCookie] === undefined || (await isOfPartner(pages, request, word))) {
    const kept = { path: "/", maxAge: referralSeconds, sameSite: "lax", secure: pages.isSecure } as const;
    reply.setCookie(referralCookie, word, kept);
  }
  return true;
}

/** False while nobody can say: the word before stays, and the page is shown. */
async function isOfPartner(pages: Pages, request: FastifyRequest, word: string): Promise<boolean> {
  try {
    return await pages.hasPartner(word);
  } catch (fault) {
    request.log.error({ err: fault }, "the owner of a referral word could not be read");
    return false;
  }
}

function queryWithout(request: FastifyRequest, name: string): string {
  const query = new URLSearchParams(queryOf(request));
  query.delete(name);
  return query.size > 0 ? `?${query.toString()}` : "";
}

function queryOf(request: FastifyRequest): string {
  const at = request.url.indexOf("?");
  return at < 0 ? "" : request.url.slice(at + 1);
}

function savedLanguage(request: FastifyRequest): Language | undefined {
  // The second is of plain http, or of a browser that was here before the first.
  const saved = request.cookies["__Host-language"] ?? request.cookies["language"];
  return isLanguage(saved) ? saved : undefined;
}

function codingOf(request: FastifyRequest): "br" | "gzip" | "identity" {
  const accepted = String(request.headers["accept-encoding"] ?? "");
  if (/\bbr\b/.test(accepted)) return "br";
  return /\bgzip\b/.test(accepted) ? "gzip" : "identity";
}
