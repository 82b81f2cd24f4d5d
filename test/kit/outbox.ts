import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

const patienceMs = 10_000;

/** Waits for a mail with a code to an address in the outbox of a shop, and answers the newest code. */
export async function outboxCode(dataDir: string, email: string): Promise<string> {
  const until = performance.now() + patienceMs;
  for (;;) {
    const code = await newestCode(join(dataDir, "outbox"), email);
    if (code !== undefined) return code;
    if (performance.now() > until) throw new Error(`no code for ${email} came into the outbox`);
    await pause(20);
  }
}

async function newestCode(outbox: string, email: string): Promise<string | undefined> {
  // The first mail makes the folder.
  const files = (await readdir(outbox).catch(() => [])).filter((name) => name.endsWith(".eml")).toSorted();
  for (const name of files.toReversed()) {
    const mail = await readFile(join(outbox, name), "utf8");
    const code = mail.includes(email) ? /^\s*(\d{6})\s*$/m.exec(mail)?.[1] : undefined;
    if (code !== undefined) return code;
  }
  return undefined;
}
