/**
 * The service worker: shows a page of ours without a connection, and handles presses on notifications. Asks
 * the network first. Caches the offline page and hashed files, never pages of an account or answers of the
 * API. The server prefixes `kept` (src/server/pages/pages.worker.ts).
 */

interface Extendable extends Event {
  waitUntil(work: Promise<unknown>): void;
}

interface Fetching extends Extendable {
  readonly request: Request;
  readonly preloadResponse: Promise<Response | undefined>;
  respondWith(answer: Promise<Response>): void;
}

interface Pressed extends Extendable {
  /** The data has the page that showed it (src/web/orders/alerts/notification.ts). */
  readonly notification: { readonly tag: string; readonly data: { page: string }; close(): void };
}

interface OpenWindow {
  readonly url: string;
  postMessage(message: { pressed: string }): void;
  focus(): Promise<unknown>;
}

/** The members of a service worker that the window types lack. */
interface ServiceWorker {
  addEventListener(type: "install" | "activate", listener: (event: Extendable) => void): void;
  addEventListener(type: "fetch", listener: (event: Fetching) => void): void;
  addEventListener(type: "notificationclick", listener: (event: Pressed) => void): void;
  skipWaiting(): Promise<void>;
  readonly clients: {
    claim(): Promise<void>;
    matchAll(wanted: { type: "window"; includeUncontrolled: boolean }): Promise<OpenWindow[]>;
    openWindow(address: string): Promise<unknown>;
  };
  readonly registration: { readonly navigationPreload?: { enable(): Promise<void> } };
  readonly cookieStore?: { get(name: string): Promise<{ value: string } | null> };
}

/** The version changes with any file; the default language is first; `files` are fetched at install. */
declare const kept: { version: string; languages: string[]; files: string[] };

const worker = self as unknown as ServiceWorker;
const family = "postern-";
const cacheName = family + kept.version;

worker.addEventListener("install", (event) => event.waitUntil(install()));
worker.addEventListener("activate", (event) => event.waitUntil(activate()));

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (request.mode === "navigate") event.respondWith(pageOf(event, pathname));
  else if (pathname.startsWith("/assets/")) event.respondWith(builtFile(event));
  else if (kept.files.includes(pathname)) event.respondWith(freshOrKept(request));
});
worker.addEventListener("notificationclick", (event) => event.waitUntil(bringBack(event.notification)));

async function install(): Promise<void> {
  const cache = await caches.open(cacheName);
  await cache.addAll(kept.files);
  await worker.skipWaiting();
}

/** Keeps the previous version for pages that are still open; deletes older ones. */
async function activate(): Promise<void> {
  const others = (await caches.keys()).filter((name) => name.startsWith(family) && name !== cacheName);
  await Promise.all(others.slice(0, -1).map((name) => caches.delete(name)));
  // The request of a page does not wait for the start of the worker.
  await worker.registration.navigationPreload?.enable();
  await worker.clients.claim();
}

/** Focuses the page of the notification, which opens the letter, or opens a new one. */
async function bringBack(notification: Pressed["notification"]): Promise<void> {
  notification.close();
  const { tag, data } = notification;
  const windows = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const open = windows.find(({ url }) => new URL(url).pathname === data.page);
  if (!open) return void (await worker.clients.openWindow(data.page));
  open.postMessage({ pressed: tag });
  await open.focus();
}

function pageOf(event: Fetching, pathname: string): Promise<Response> {
  const asked = async () => (await event.preloadResponse) ?? (await fetch(event.request));
  return reached(asked, async () => caches.match(`/${await languageOf(pathname)}/offline`));
}

/** A file with a hash in its name never changes. */
async function builtFile(event: Fetching): Promise<Response> {
  const known = await caches.match(event.request, { ignoreVary: true });
  if (known) return known;
  const answer = await fetch(event.request);
  if (answer.ok) {
    const copy = answer.clone();
    event.waitUntil(caches.open(cacheName).then((cache) => cache.put(event.request, copy)));
  }
  return answer;
}

function freshOrKept(request: Request): Promise<Response> {
  return reached(
    () => fetch(request),
    () => caches.match(request, { ignoreVary: true }),
  );
}

/** The shop's answer, or the fallback without an answer or on a gateway error. */
async function reached(
  ask: () => Promise<Response>,
  keptFor: () => Promise<Response | undefined>,
): Promise<Response> {
  try {
    const answer = await ask();
    return [502, 503, 504].includes(answer.status) ? ((await keptFor()) ?? answer) : answer;
  } catch (unreachable) {
    const known = await keptFor();
    if (known === undefined) throw unreachable;
    return known;
  }
}

/** The language of the address, else the saved one, else the default. */
async function languageOf(pathname: string): Promise<string | undefined> {
  const saved = await worker.cookieStore?.get("language");
  const wished = [pathname.split("/")[1], saved?.value];
  return wished.find((code) => kept.languages.includes(code ?? "")) ?? kept.languages[0];
}
