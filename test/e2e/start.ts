import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { place } from "./place.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const startSecondsMax = 60;

/** Starts the shop as its users do: the whole program on the built pages, with a database of its own. */
export default async function start(): Promise<() => Promise<void>> {
  if (!existsSync(`${root}/dist/client`)) throw new Error("the pages are not built: npm run build");
  const shop = spawn(process.execPath, ["src/server/main.ts"], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
    env: {
      PATH: process.env["PATH"],
      PORT: String(place.port),
      SMTP_PORT: String(place.smtpPort),
      DATA_DIR: place.dataDir,
      ADMIN_EMAILS: place.adminEmail,
      PUBLIC_URL: `http://127.0.0.1:${place.port}`,
      LOG_LEVEL: "warn",
    },
  });
  try {
    await isReady(shop);
  } catch (error) {
    await stop(shop);
    throw error;
  }
  return () => stop(shop);
}

/** Waits for the ready line; everything else that the shop says is shown. */
function isReady(shop: ChildProcess): Promise<void> {
  return new Promise((done, failed) => {
    const timer = setTimeout(
      () => failed(new Error(`no ready line after ${startSecondsMax} s`)),
      startSecondsMax * 1000,
    );
    shop.once("exit", (status) => failed(new Error(`the shop ended with status ${status}`)));
    shop.stdout?.on("data", (piece: Buffer) => {
      process.stderr.write(piece);
      if (!/^ready {2}/m.test(piece.toString())) return;
      clearTimeout(timer);
      done();
    });
  });
}

async function stop(shop: ChildProcess): Promise<void> {
  if (shop.exitCode === null) {
    const ended = new Promise((done) => shop.once("exit", done));
    shop.kill("SIGTERM");
    await ended;
  }
  rmSync(place.dataDir, { recursive: true, force: true });
}
