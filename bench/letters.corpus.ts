// Opens the public test messages of mail parsers and sends each to a running shop. None may crash it, hang it or be lost;
// subject and text are compared with the corpus.
import { createConnection, type Socket } from "node:net";
import { basename } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Db } from "../src/server/platform/db/db.ts";
import { openWhole, type Whole } from "./letters.whole.kit.ts";
import { samplesIn, type Sample, type Wish } from "./letters.corpus.kit.ts";
import { allMatched, withShop } from "./letters.measure.kit.ts";
import { furnish, mailDomain, type Place } from "./letters.place.kit.ts";
import { printTable, run, withFolder } from "./process.kit.ts";
import type { Shop } from "./shop.kit.ts";

const openMillisecondsMax = 2_000;
const mailboxes = 2_000;

/** `letters corpus <folder or git directory> …`, one for each corpus. */
export async function measure(words: readonly string[]): Promise<void> {
  if (words.length === 0) {
    console.error("Say where the messages are: npm run bench -- letters corpus <folder or git directory> …");
    process.exitCode = 2;
    return;
  }
  await withFolder(async (folder) => {
    const rows: Record<string, string | number>[] = [];
    const all: Sample[] = [];
    for (const [index, word] of words.entries()) {
      const samples = await samplesIn(await checkout(word, `${folder}/${index}`), openWhole);
      rows.push({ corpus: nameOf(word), ...compare(samples) });
      all.push(...samples);
    }
    const place = await furnish(folder, mailboxes, 1);
    await withShop(place, async (_, shop, db) => {
      rows.push({ corpus: "all, sent to a shop", ...(await sendAll(place, shop, db, all)) });
    });
    printTable(rows);
  });
}

const nameOf = (word: string) => (/([^/]+)\/repo\/?$/.exec(word)?.[1] ?? basename(word)).replace("+", "/");

async function checkout(word: string, folder: string): Promise<string> {
  const isBare = await run("git", ["--git-dir", word, "rev-parse", "HEAD"]).then(
    () => true,
    () => false,
  );
  if (!isBare) return word;
  await run("mkdir", [folder]);
  await run("sh", ["-c", 'git --git-dir "$0" archive HEAD | tar -x -C "$1"', word, folder]);
  return folder;
}

function compare(samples: readonly Sample[]): Record<string, number> {
  let slowest = 0;
  const counts = { expected: 0, equal: 0, broken: 0, brokenAlike: 0 };
  for (const sample of samples) {
    const start = performance.now();
    const opened = openWhole(sample.raw);
    const took = performance.now() - start;
    slowest = Math.max(slowest, took);
    if (took > openMillisecondsMax) console.log(`${sample.name}: ${Math.round(took)} ms`);
    if (sample.wishes.length === 0) continue;
    const unmet = sample.wishes.filter((wish) => !isMet(wish, opened));
    counts[sample.isBroken ? "broken" : "expected"]++;
    if (unmet.length === 0) counts[sample.isBroken ? "brokenAlike" : "equal"]++;
    for (const wish of unmet) tell(sample, wish, opened);
  }
  return {
    messages: samples.length,
    "with expectation": counts.expected,
    equal: counts.equal,
    "broken on purpose": counts.broken,
    alike: counts.brokenAlike,
    "slowest ms": Math.round(slowest),
  };
}

function read(of: Wish["of"], { parsed }: Whole): string {
  // Without plain text the HTML gives it.
  if (of === "plain") return parsed.plain === "" ? parsed.text : parsed.plain;
  return parsed[of] ?? "";
}

function isMet({ of, wanted, isPart }: Wish, opened: Whole): boolean {
  const has = flat(read(of, opened));
  const wants = flat(wanted);
  if (has === wants || (isPart && has.includes(wants))) return true;
  // The replacement character of an expectation matches whatever we read there.
  return wants.includes("\uFFFD") && patternOf(wants).test(has);
}

const patternOf = (text: string) =>
  new RegExp(`^${text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/\uFFFD+/g, ".{1,4}")}$`, "s");

/** Without spaces, line ends, NULs and byte order marks. */
const flat = (text: string) =>
  text
    .replaceAll("\0", "")
    .replace(/[\s\u00A0\u200B\uFEFF]+/g, " ")
    .trim();

function tell({ name }: Sample, { of, wanted }: Wish, opened: Whole): void {
  const [has, wants] = [flat(read(of, opened)), flat(wanted)];
  let same = 0;
  while (same < wants.length && wants[same] === has[same]) same++;
  const from = Math.max(0, same - 20);
  console.log(
    `${name}: ${of} is ${JSON.stringify(has.slice(from, from + 80))}, wanted ${JSON.stringify(wants.slice(from, from + 80))}`,
  );
}

/** Each goes to its own order for any sender, and must then be readable over the API. */
async function sendAll(
  place: Place,
  shop: Shop,
  db: Db,
  samples: readonly Sample[],
): Promise<Record<string, number>> {
  const token = place.targets.find(({ order }) => order)?.order?.token ?? "";
  const call = async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${shop.port}${path}&token=${token}`);
    return (await answer.json()) as Record<string, unknown>;
  };
  let refused = 0;
  const orders: string[] = [];
  for (const sample of samples) {
    const ordered = await call(`/email/order?site=any&domain=${mailDomain}`);
    orders.push(String(ordered["id"]));
    const reply = await sendOne(shop.smtpPort, String(ordered["email"]), sample.raw);
    if (!reply.startsWith("250")) console.log(`${sample.name}: refused with ${reply.trim()}`, refused++);
  }
  await allMatched(db);
  let equal = 0;
  let readable = 0;
  for (const [index, sample] of samples.entries()) {
    const answer = await call(`/email/getmessage?id=${orders[index]}`);
    if (answer["status"] === "success") readable++;
    else console.log(`${sample.name}: read as ${JSON.stringify(answer)}`);
    const opened = openWhole(sample.raw);
    if (flat(textOf(answer["subject"])) === flat(opened.parsed.subject)) equal++;
  }
  return { messages: samples.length, refused, "readable over the API": readable, equal };
}

const textOf = (value: unknown) => (typeof value === "string" ? value : "");

async function sendOne(port: number, address: string, raw: Buffer): Promise<string> {
  const socket = createConnection({ port, host: "127.0.0.1" });
  let heard = "";
  socket.on("data", (chunk: Buffer) => (heard += chunk.toString("latin1")));
  socket.on("error", () => undefined);
  const stuffed = raw.toString("latin1").replace(/^\./gm, "..");
  const letter = Buffer.from(stuffed.endsWith("\r\n") ? stuffed : `${stuffed}\r\n`, "latin1");
  try {
    await say(socket, () => heard, "", 1);
    const lines = ["EHLO bench.test", "MAIL FROM:<someone@sender.test>", `RCPT TO:<${address}>`, "DATA"];
    for (const [index, line] of lines.entries()) await say(socket, () => heard, `${line}\r\n`, index + 2);
    const before = heard.length;
    socket.write(letter);
    socket.write(".\r\n");
    for (let turn = 0; turn < 1_000 && heard.length === before && !socket.destroyed; turn++) await sleep(10);
    return heard.slice(before);
  } finally {
    socket.destroy();
  }
}

/** Writes a command and waits for so many replies in all. */
async function say(socket: Socket, heard: () => string, line: string, replies: number): Promise<void> {
  if (line !== "") socket.write(line);
  const count = () => heard().match(/^\d{3} .*\r\n/gm)?.length ?? 0;
  for (let turn = 0; turn < 1_000 && count() < replies && !socket.destroyed; turn++) await sleep(5);
}
