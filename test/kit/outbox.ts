import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import PostalMime from "postal-mime";
import { soon } from "./soon.ts";

async function mailsTo(dataDir: string, email: string): Promise<string[]> {
  const outbox = join(dataDir, "outbox");
  // The folder is made by the first mail.
  const names = (await readdir(outbox).catch(() => [])).filter((name) => name.endsWith(".eml")).toSorted();
  const mails = await Promise.all(names.map((name) => readFile(join(outbox, name), "utf8")));
  // A mail about an account has its address too, and one address may end with another.
  const isTo = (line = "") => line.split(/[\s<>,]+/).includes(email);
  return mails.filter((mail) => isTo(/^To: .*$/im.exec(mail)?.[0]));
}

export async function codesFor(dataDir: string, email: string): Promise<string[]> {
  const mails = await mailsTo(dataDir, email);
  return mails.flatMap((mail) => /^\s*(\d{6})\s*$/m.exec(mail)?.[1] ?? []);
}

/** What the mails to an address say, oldest first. */
export async function textsFor(dataDir: string, email: string): Promise<string[]> {
  const mails = await mailsTo(dataDir, email);
  return Promise.all(mails.map(async (mail) => (await PostalMime.parse(mail)).text ?? ""));
}

/** The addresses of the links in the mails to an address, oldest first. */
export async function linksFor(dataDir: string, email: string): Promise<string[]> {
  const texts = await textsFor(dataDir, email);
  return texts.flatMap((text) => /^\S+#(?:activate|reset)\/\S+$/m.exec(text)?.[0] ?? []);
}

/** Mails that tell the owner of an account what happened: they have the link "this was not me". Oldest first. */
export async function noticesFor(dataDir: string, email: string) {
  const mails = await Promise.all((await mailsTo(dataDir, email)).map((mail) => PostalMime.parse(mail)));
  return mails.flatMap(({ subject = "", text = "", html = "" }) => {
    const [link] = /^\S+#disown\/\S+$/m.exec(text) ?? [];
    return link === undefined ? [] : [{ subject, text, html, link }];
  });
}

export async function outboxCode(dataDir: string, email: string, count = 1): Promise<string> {
  const until = performance.now() + soon.timeout;
  for (;;) {
    const codes = await codesFor(dataDir, email);
    const newest = codes.at(-1);
    if (newest !== undefined && codes.length >= count) return newest;
    if (performance.now() > until) throw new Error(`${codes.length} of ${count} codes came to ${email}`);
    await pause(soon.interval);
  }
}
