import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

const patienceMs = 10_000;

export async function codesFor(dataDir: string, email: string): Promise<string[]> {
  const outbox = join(dataDir, "outbox");
  // The folder is made by the first mail.
  const names = (await readdir(outbox).catch(() => [])).filter((name) => name.endsWith(".eml")).toSorted();
  const mails = await Promise.all(names.map((name) => readFile(join(outbox, name), "utf8")));
  return mails
    .filter((mail) => mail.includes(email))
    .flatMap((mail) => /^\s*(\d{6})\s*$/m.exec(mail)?.[1] ?? []);
}

export async function outboxCode(dataDir: string, email: string, count = 1): Promise<string> {
  const until = performance.now() + patienceMs;
  for (;;) {
    const codes = await codesFor(dataDir, email);
    const newest = codes.at(-1);
    if (newest !== undefined && codes.length >= count) return newest;
    if (performance.now() > until) throw new Error(`${codes.length} of ${count} codes came to ${email}`);
    await pause(20);
  }
}
