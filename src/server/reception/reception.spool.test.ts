import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import {
  atData,
  closeReceptions,
  connectTo,
  heldKeep,
  introduced,
  receptionWith,
  toData,
} from "../../../test/kit/reception.ts";
import { soon } from "../../../test/kit/soon.ts";
import { openSpool } from "./reception.spool.ts";

afterEach(closeReceptions);

test("what a crash left in the spool is gone, and what belongs to its disk is not touched", async () => {
  const folder = await mkdtemp(join(tmpdir(), "postern-spool-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await mkdir(join(folder, "lost+found"));
  await writeFile(join(folder, "a".repeat(24)), "half a letter");
  await openSpool(folder, { reserveBytes: 0 });
  expect(await readdir(folder)).toEqual(["lost+found"]);
});

const line = `${"x".repeat(998)}\r\n`;
const longLetter = line.repeat(60);

test("a letter of ten megabytes is taken word for word, and leaves nothing behind", async () => {
  const { reception, kept, spoolFolder } = await receptionWith();
  const talk = await atData(reception);
  const text = `Subject: long\r\n\r\n${line.repeat(10_480)}`;
  talk.send(text);
  talk.say(".");
  expect(await talk.hear()).toMatch(/^250/);
  expect(kept[0]?.raw.toString("latin1") === text).toBe(true);
  expect(await readdir(spoolFolder)).toEqual([]);
});

test("when memory is used up letters go to the disk, and all are taken", async () => {
  const { reception, kept } = await receptionWith({ limits: { bytesInMemory: 70_000 } });
  const first = await atData(reception);
  first.send("x".repeat(60_000));
  for (let count = 0; count < 3; count++) {
    const next = await atData(reception);
    next.say("x".repeat(30_000), ".");
    expect(await next.hear()).toMatch(/^250/);
  }
  first.say("", ".");
  expect(await first.hear()).toMatch(/^250/);
  expect(kept.map(({ raw }) => raw.length)).toEqual([30_002, 30_002, 30_002, 60_002]);
});

test("long letters are brought back one after the other, as there is room to keep them", async () => {
  const held = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const asked: number[] = [];
  const { reception } = await receptionWith({
    limits: { spillBytes: 20_000, sizeBytes: 100_000, bytesLoading: 100_000 },
    keep: ({ raw }) => held[asked.push(raw.length) - 1]!.promise,
  });
  const first = await atData(reception);
  first.send(`${longLetter}.\r\n`);
  await expect.poll(() => asked, soon).toEqual([60_000]);
  const second = await atData(reception);
  second.send(`${longLetter}.\r\n`);
  const short = await introduced(reception);
  for (let count = 0; count < 5; count++) expect(await short.ask("NOOP")).toMatch(/^250/);
  expect(asked).toEqual([60_000]);
  held[0]!.resolve();
  expect(await first.hear()).toMatch(/^250/);
  await expect.poll(() => asked, soon).toEqual([60_000, 60_000]);
  held[1]!.resolve();
  expect(await second.hear()).toMatch(/^250/);
});

test("a letter that waits for room has come when it was whole, and is announced until it is kept", async () => {
  const held = Promise.withResolvers<void>();
  const came: number[] = [];
  const here: (readonly bigint[])[] = [];
  const { reception } = await receptionWith({
    limits: { spillBytes: 20_000, sizeBytes: 100_000, bytesLoading: 100_000 },
    keep: ({ receivedAt }) => (came.push(receivedAt ?? Number.NaN) === 1 ? held.promise : Promise.resolve()),
    arriving: (mailboxIds) => {
      here.push(mailboxIds);
      return () => void here.pop();
    },
  });
  const talks = [await atData(reception), await atData(reception)];
  for (const talk of talks) talk.send(`${longLetter}.\r\n`);
  await expect.poll(() => here, soon).toEqual([[1n], [1n]]);
  await expect.poll(() => came, soon).toHaveLength(1);
  const released = performance.now();
  held.resolve();
  for (const talk of talks) expect(await talk.hear()).toMatch(/^250/);
  expect(came).toHaveLength(2);
  for (const at of came) expect(at).toBeLessThan(released);
  await expect.poll(() => here, soon).toEqual([]);
});

test("a long letter that finds no room in time is put off, and the next try is taken", async () => {
  const held = Promise.withResolvers<void>();
  const { reception } = await receptionWith({
    limits: { spillBytes: 20_000, sizeBytes: 100_000, bytesLoading: 100_000, loadSeconds: 0.1 },
    keep: () => held.promise,
  });
  const first = await atData(reception);
  first.send(`${longLetter}.\r\n`);
  const second = await atData(reception);
  second.send(`${longLetter}.\r\n`);
  const replies = [first.hear(), second.hear()];
  const late = await Promise.race(replies);
  expect(late).toMatch(/^452 4\.3\.1/);
  held.resolve();
  expect((await Promise.all(replies)).toSorted()).toEqual([expect.stringMatching(/^250/), late]);
  await toData(second);
  second.send(`${longLetter}.\r\n`);
  expect(await second.hear()).toMatch(/^250/);
});

test("a long letter is not kept when its sender left before it could be", async () => {
  const held = Promise.withResolvers<void>();
  let asked = 0;
  const { reception } = await receptionWith({
    limits: { spillBytes: 20_000, sizeBytes: 100_000, bytesLoading: 100_000, connectionsPerAddress: 3 },
    keep: () => {
      asked++;
      return held.promise;
    },
  });
  const first = await atData(reception);
  first.send(`${longLetter}.\r\n`);
  await expect.poll(() => asked, soon).toBe(1);
  const second = await atData(reception);
  second.send(`${longLetter}.\r\n`);
  expect(await (await introduced(reception)).ask("NOOP")).toMatch(/^250/);
  second.close();
  // It counts as one of three connections until its end is noticed.
  let third = connectTo(reception);
  while (!(await third.hear()).startsWith("220")) third = connectTo(reception);
  await third.ask("EHLO mail.instagram.com");
  await toData(third);
  third.send(`${longLetter}.\r\n`);
  held.resolve();
  expect(await third.hear()).toMatch(/^250/);
  expect(asked).toBe(2);
});

test("a full disk puts off long letters, and short ones go on", async () => {
  const { reception, kept } = await receptionWith({ limits: { reserveBytes: Number.MAX_SAFE_INTEGER } });
  const talk = await atData(reception);
  talk.send(line.repeat(1_000));
  talk.say(".");
  expect(await talk.hear()).toMatch(/^452 4\.3\.1/);
  await toData(talk);
  talk.say("short", ".");
  expect(await talk.hear()).toMatch(/^250/);
  expect(kept).toHaveLength(1);
});

test("the operator is told once that the disk has no room, and once that it has again", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const folder = await mkdtemp(join(tmpdir(), "postern-spool-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  let free = 1_000;
  const told: [boolean, number][] = [];
  const tell = (isFull: boolean, freeBytes: number) => told.push([isFull, freeBytes]);
  const spool = await openSpool(folder, { reserveBytes: 500, tell, freeBytes: async () => free });
  const askLater = async () => {
    vi.advanceTimersByTime(1_001);
    // The last known state is answered; the disk is asked in parallel.
    await spool.open().then(
      (file) => file.close(),
      () => undefined,
    );
  };
  await askLater();
  expect(told).toEqual([]);
  free = 400;
  await askLater();
  await askLater();
  expect(told).toEqual([[true, 400]]);
  free = 600;
  await askLater();
  await askLater();
  expect(told).toEqual([
    [true, 400],
    [false, 600],
  ]);
});

test("the lines of a long letter end with CRLF as those of a short one do", async () => {
  const { reception, kept } = await receptionWith({ limits: { spillBytes: 20_000 } });
  const talk = await atData(reception);
  talk.send(`${longLetter}\n.\n${longLetter}.\r\n`);
  expect(await talk.hear()).toMatch(/^250/);
  expect(kept.map(({ raw }) => raw.toString() === `${longLetter}\r\n.\r\n${longLetter}`)).toEqual([true]);
});

test("while a letter is being kept its sender is not read from", async () => {
  const { keep, asked, release } = heldKeep();
  const { reception } = await receptionWith({ keep });
  const greedy = await atData(reception);
  greedy.say("x", ".");
  await asked;
  // More than all socket buffers on the way.
  greedy.send("NOOP\r\n".repeat(10_000_000));
  const other = await introduced(reception);
  for (let count = 0; count < 50; count++) await other.ask("NOOP");
  expect(greedy.socket.writableLength).toBeGreaterThan(0);
  release();
  expect(await greedy.hear()).toMatch(/^250 2\.6\.0/);
});
