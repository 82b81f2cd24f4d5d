import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "@playwright/test";
import { place } from "./place.ts";

/** The codes that were mailed to an address, oldest first. */
export async function codesFor(email: string): Promise<string[]> {
  const outbox = join(place.dataDir, "outbox");
  const names = (await readdir(outbox).catch(() => [])).filter((name) => name.endsWith(".eml")).toSorted();
  const mails = await Promise.all(names.map((name) => readFile(join(outbox, name), "utf8")));
  return mails
    .filter((mail) => mail.includes(email))
    .flatMap((mail) => /^\s*(\d{6})\s*$/m.exec(mail)?.[1] ?? []);
}

/** Waits for so many codes mailed to an address and gives the newest. */
export async function codeFor(email: string, count = 1): Promise<string> {
  await expect.poll(async () => (await codesFor(email)).length).toBe(count);
  return (await codesFor(email)).at(-1) ?? "";
}
