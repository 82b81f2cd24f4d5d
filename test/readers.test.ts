// @module-tag full
// Readers of event streams that others wrote, and their own ways of coming back to a server that was killed.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { guarded } from "./kit/guard.ts";
import { numberOf } from "./kit/numbers.ts";
import { freePort } from "./kit/port.ts";
import { environment, ready, spawnShop } from "./kit/process.ts";
import { startShop, type TestShop } from "./kit/shop.ts";

const apart = fileURLToPath(new URL("../.cache/generators", import.meta.url));
const isHere = existsSync(join(apart, "node_modules/eventsource"));

// Each tells `open` once, and the id of each letter.
const readers = {
  eventsource: `import { EventSource } from "eventsource";
const authorized = (url, init) => fetch(url, { ...init, headers: { ...init.headers, ...headers } });
const stream = new EventSource(url, { fetch: authorized });
stream.addEventListener("ready", () => console.log("open"), { once: true });
stream.addEventListener("letter", ({ data }) => tell(data));`,
  "eventsource-client": `import { createEventSource } from "eventsource-client";
let isOpen = false;
createEventSource({
  url,
  headers,
  onMessage: ({ event, data }) => {
    if (event === "letter") tell(data);
    else if (event === "ready" && !isOpen) console.log("open");
    isOpen ||= event === "ready";
  },
});`,
  "@microsoft/fetch-event-source": `globalThis.window = globalThis;
const { fetchEventSource } = (await import("@microsoft/fetch-event-source")).default;
let isOpen = false;
void fetchEventSource(url, {
  headers,
  openWhenHidden: true,
  // Else it takes the end of a server that stops for the end of all.
  onclose: () => {
    throw new Error("ended");
  },
  onmessage: ({ event, data }) => {
    if (event === "letter") tell(data);
    else if (event === "ready" && !isOpen) console.log("open");
    isOpen ||= event === "ready";
  },
});`,
};

const frame = `const url = process.env.POSTERN_URL + "/user/events";
const headers = { authorization: "Bearer " + process.env.POSTERN_TOKEN };
const tell = (data) => console.log(JSON.parse(data).letter_id);
// A reader that gives up ends its process, and the test with it, were it not for this.
setInterval(() => undefined, 60_000);
`;

interface Reading {
  readonly heard: readonly string[];
  /** Waits for so many different lines. */
  until(count: number): Promise<void>;
}

async function read(program: string, env: Record<string, string>): Promise<Reading> {
  const folder = mkdtempSync(join(apart, "reader-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const imports = program.match(/^import .*$/m)?.[0] ?? "";
  writeFileSync(join(folder, "reader.mjs"), imports + "\n" + frame + program.replace(imports, ""));
  const child = spawn(process.execPath, ["reader.mjs"], {
    cwd: folder,
    env: { ...guarded(), ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => end(child));
  const heard: string[] = [];
  const lines = createInterface(child.stdout);
  lines.on("line", (line) => heard.push(line));
  return {
    heard,
    until: async (count) => {
      while (new Set(heard).size < count) await once(lines, "line");
    },
  };
}

async function end(child: ChildProcess, signal: NodeJS.Signals = "SIGKILL"): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill(signal);
  await once(child, "exit");
}

/** The role web of a shop as a process of its own, which can be ended and started again at the same place. */
async function webBeside(shop: TestShop) {
  const place = { port: await freePort(), smtpPort: await freePort(), dataDir: shop.dataDir };
  const env = {
    ...environment(place),
    DATABASE_URL: shop.databaseUrl,
    SECRET_KEY: "ef494d78e3f38f737d28cc5f0ffe2a4af3044c29f3a096309e48b2dcdbe23602",
    ROLES: "web",
    DEMO: "true",
  };
  let child: ChildProcess | undefined;
  const stop = async (signal?: NodeJS.Signals) => {
    if (child) await end(child, signal);
  };
  onTestFinished(() => stop());
  const start = async () => {
    const started = spawnShop(env);
    child = started;
    await ready(started);
  };
  return { url: `http://127.0.0.1:${place.port}`, start, stop };
}

describe.skipIf(!isHere)(
  `a reader of others ${isHere ? "" : "SKIPPED: no packages, see scripts/apart.mjs"}`,
  () => {
    test("hears every letter once, though the server is killed, and later stopped, while they come", async () => {
      const shop = await startShop();
      onTestFinished(() => shop.stop());
      const web = await webBeside(shop);
      await web.start();
      const token = await shop.buyer("1");
      const env = { POSTERN_URL: web.url, POSTERN_TOKEN: token };
      const reading = await Promise.all(Object.values(readers).map((program) => read(program, env)));
      const all = (count: number) => Promise.all(reading.map((each) => each.until(1 + count)));
      await all(0);
      const { email } = await shop.order(token);
      let sent = 0;
      const send = async (count: number) => {
        for (let nth = 0; nth < count; nth++)
          await shop.send({
            to: email,
            from: "no-reply@mail.instagram.com",
            subject: `Letter ${++sent}`,
            text: "Hello",
          });
      };
      for (const signal of ["SIGKILL", "SIGTERM"] as const) {
        await send(10);
        await all(sent);
        // Some are on the way, some come while there is no server, and some while it starts.
        await Promise.all([send(20), web.stop(signal)]);
        await send(10);
        await Promise.all([web.start(), send(10)]);
        await send(10);
      }
      await all(sent);
      const letters = await shop.db<{ id: bigint }[]>`select id from letter order by id`;
      const ids = letters.map(({ id }) => String(id));
      expect(ids).toHaveLength(120);
      for (const [at, name] of Object.keys(readers).entries()) {
        const heard = (reading[at]?.heard ?? []).map(async (line) =>
          line === "open" ? line : numberOf(shop.db, line),
        );
        expect([name, ...(await Promise.all(heard)).toSorted()]).toEqual([name, ...ids, "open"]);
      }
    }, 180_000);
  },
);
