// @module-tag slow
import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { Resolver } from "node:dns/promises";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dkimVerify } from "mailauth/lib/dkim/verify.js";
import PostalMime from "postal-mime";
import { SMTPServer } from "smtp-server";
import { afterEach, beforeAll, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { createDatabase } from "../../../test/kit/database.ts";
import { openNameServer } from "../../../test/kit/dns.ts";
import { freePort } from "../../../test/kit/port.ts";
import { soon } from "../../../test/kit/soon.ts";
import { certificateFor } from "../platform/certificate.ts";
import { now, secondsAfter } from "../platform/clock.ts";
import type { Dkim } from "../platform/config/config.ts";
import { attempt, type Db } from "../platform/db/db.ts";
import { createLog } from "../platform/log.ts";
import { createSeal } from "../platform/seal.ts";
import { type Notice, type Mailer, openMailer, queue } from "./mailer.ts";
import { recordOf } from "./mailer.sign.ts";

const seal = createSeal(Buffer.alloc(32, 9));
// In the future, so that only the tries of a test find due rows.
const start = secondsAfter(now(), 3_600);
const code = {
  to: "ann@example.com",
  kind: "activation-code",
  language: "ru",
  values: { code: "493817" },
} as const;
const news = {
  to: "bob@example.com",
  kind: "webhook-disabled",
  language: "en",
  values: { webhook: "program.example" },
} as const;
let db: Db;
let dataDir: string;
let logged: string;
const open: { stop(): Promise<unknown> }[] = [];

beforeAll(async () => {
  ({ db } = await createDatabase());
});
beforeEach(async () => {
  logged = "";
  dataDir = await mkdtemp(join(tmpdir(), "postern-notices-"));
});
afterEach(async () => {
  for (const each of open.splice(0).toReversed()) await each.stop();
  await db`delete from task`;
  await rm(dataDir, { recursive: true, force: true });
});

async function sender(port: number | undefined, dkim?: Dkim, way = "smtp://"): Promise<Mailer> {
  const notices = await openMailer({
    db,
    seal,
    config: {
      mailUrl: port === undefined ? undefined : `${way}127.0.0.1:${port}`,
      mailFrom: "Postern <no-reply@shop.example>",
      dkim,
      dataDir,
      publicUrl: "https://shop.example",
    },
    log: createLog("info", { write: (line: string) => void (logged += line) }),
  });
  open.push(notices);
  return notices;
}

const write = (notice: Notice, when = start) =>
  attempt(db, async (tx) => {
    await queue(tx, seal, notice, { userId: 1n });
    await tx`update task set created_at = ${when}, due_at = ${when} where id = (select max(id) from task)`;
    return undefined;
  });

const rows = () =>
  db<{ kind: string; sentAt: Date | null; dueAt: Date | null; tries: number; failure: string | null }[]>`
    select kind, done_at as "sentAt", due_at as "dueAt", tries, failure from task order by id`;

async function relay(
  port: number,
  refuse?: (to: string) => { at: "from" | "rcpt" | "data"; code: number } | undefined,
) {
  const taken: { to: string; mail: Buffer }[] = [];
  const no = (to: string, place: string) => {
    const said = refuse?.(to);
    return said?.at === place ? Object.assign(new Error("not now"), { responseCode: said.code }) : undefined;
  };
  const server = new SMTPServer({
    disabledCommands: ["AUTH", "STARTTLS"],
    onMailFrom: (_address, _session, done) => done(no("", "from")),
    onRcptTo: ({ address }, _session, done) => done(no(address, "rcpt")),
    onData(stream, session, done) {
      const to = session.envelope.rcptTo.map(({ address }) => address).join();
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const fault = no(to, "data");
        if (!fault) taken.push({ to, mail: Buffer.concat(chunks) });
        done(fault);
      });
    },
  });
  await new Promise<void>((up) => server.listen(port, "127.0.0.1", up));
  open.unshift({ stop: () => new Promise<void>((down) => server.close(down)) });
  return { taken, port: (server.server.address() as AddressInfo).port };
}

async function quitter(last: "greeting" | "data"): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    if (last === "greeting") return socket.destroy();
    socket.write("220 here\r\n");
    let isData = false;
    socket.on("data", (chunk: Buffer) => {
      if (isData) return socket.destroy();
      isData = chunk.toString().startsWith("DATA");
      return socket.write(isData ? "354 go on\r\n" : "250 fine\r\n");
    });
    return undefined;
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  open.unshift({
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((done) => server.close(done));
    },
  });
  return (server.address() as AddressInfo).port;
}

const keyOf = (kind: "rsa" | "ed25519"): Dkim => {
  const { privateKey: key } =
    kind === "rsa" ? generateKeyPairSync("rsa", { modulusLength: 2048 }) : generateKeyPairSync("ed25519");
  return { key, selector: "postern1", domain: "shop.example" };
};

/** The result of a DKIM check by the DNS. */
async function verdictOn(mail: Buffer | string, dkim: Dkim): Promise<(string | undefined)[]> {
  const { name, value } = recordOf(dkim);
  const dns = await openNameServer({ [name]: { TXT: [value] } });
  onTestFinished(() => dns.stop());
  const resolver = new Resolver();
  resolver.setServers([dns.address]);
  const { results } = await dkimVerify(mail, {
    strict: true,
    resolver: (host, type) => resolver.resolve(host, type) as Promise<string[][]>,
  });
  return results.map(({ status }) => status.result);
}

test.each(["rsa", "ed25519"] as const)(
  "a mail signed with an %s key proves its domain at the relay and in the outbox, and no more when it was changed",
  async (kind) => {
    const dkim = keyOf(kind);
    const { taken, port } = await relay(0);
    await write(code);
    expect(await (await sender(port, dkim)).sendDue(start)).toBe(1);
    const mail = taken[0]?.mail ?? Buffer.alloc(0);
    expect(await verdictOn(mail, dkim)).toEqual(["pass"]);
    const changed = {
      body: mail.toString().replace("493817", "493818"),
      subject: mail.toString().replace("Subject:", "Subject: another\r\nX-Was:"),
      secondSubject: `Subject: another\r\n${mail.toString()}`,
      secondFrom: `From: ann@bank.example\r\n${mail.toString()}`,
      replyTo: `Reply-To: ann@bank.example\r\n${mail.toString()}`,
    };
    for (const other of Object.values(changed)) expect(await verdictOn(other, dkim)).toEqual(["fail"]);
    expect(await verdictOn(`Received: from a by b\r\n${mail.toString()}`, dkim)).toEqual(["pass"]);
    expect(mail.toString().match(/\d{6,}/g)).toEqual(["493817", "493817"]);
    expect((await PostalMime.parse(mail)).subject).toBe("Код активации Postern");

    await write(code);
    await (await sender(undefined, dkim)).sendDue(start);
    const [file = ""] = await readdir(join(dataDir, "outbox"));
    const kept = await readFile(join(dataDir, "outbox", file));
    expect(await verdictOn(kept, dkim)).toEqual(["pass"]);
  },
);

test("a mail of any reader, subject and text is signed right", async () => {
  const dkim = keyOf("ed25519");
  const { taken, port } = await relay(0);
  const notices = await sender(port, dkim);
  const odd = ["a+b@example.com", "o'neil/x=?^_`{|}~@example.com", `${"long".repeat(16)}@example.com`];
  for (const to of odd)
    for (const language of ["en", "fa", "zh"])
      await write({ ...news, to, language, values: { webhook: ` .${to}\t ` } });
  expect(await notices.sendDue(start)).toBe(9);
  for (const { mail } of taken) expect(await verdictOn(mail, dkim)).toEqual(["pass"]);
  expect(new Set(taken.map(({ to }) => to)).size).toBe(3);
});

test("a relay that is down costs no mail a try, is left alone between tries, and gets everything when it is up", async () => {
  const port = await freePort();
  const notices = await sender(port);
  for (let n = 0; n < 25; n++) await write({ ...news, to: `reader${n}@example.com` });
  for (const seconds of [0, 1, 4]) expect(await notices.sendDue(secondsAfter(start, seconds))).toBe(0);
  expect((await rows()).every(({ tries, dueAt }) => tries === 0 && dueAt !== null)).toBe(true);
  // Ten were on their way at the first failure; the others were not tried.
  expect((await rows()).filter(({ failure }) => failure !== null)).toHaveLength(10);
  await notices.sendDue(secondsAfter(start, 5));
  expect((await rows()).filter(({ failure }) => failure !== null)).toHaveLength(11);
  expect(logged.match(/the relay cannot be reached/g)).toHaveLength(1);

  const { taken } = await relay(port);
  let sent = 0;
  for (const seconds of [16, 17]) sent += await notices.sendDue(secondsAfter(start, seconds));
  expect(sent).toBe(25);
  expect(new Set(taken.map(({ to }) => to)).size).toBe(25);
  expect((await rows()).every(({ tries, sentAt }) => tries === 1 && sentAt !== null)).toBe(true);
  expect(logged.match(/the relay takes mail again/g)).toHaveLength(1);
});

test.each([
  // Signed by itself, as that of a server that took the relay's place.
  [
    "with a certificate that is not trusted",
    "smtps",
    { secure: true, ...certificateFor("localhost") },
    "certificate",
  ],
  ["without encryption", "smtp", { disabledCommands: ["STARTTLS"], allowInsecureAuth: true }, "STARTTLS"],
])(
  "a relay %s is told no password, and the relay of the next start gets its mail",
  async (_what, way, options, failure) => {
    const told: unknown[] = [];
    const server = new SMTPServer({
      ...options,
      onAuth: (auth, _session, done) => {
        told.push(auth);
        done(null, { user: auth.username });
      },
    });
    await new Promise<void>((up) => server.listen(0, "127.0.0.1", up));
    open.unshift({ stop: () => new Promise<void>((down) => server.close(down)) });
    server.on("error", () => undefined);
    const { port } = server.server.address() as AddressInfo;
    const before = await sender(port, undefined, `${way}://ann:secret@`);
    await write(news);
    expect(await before.sendDue(start)).toBe(0);
    expect(await rows()).toMatchObject([{ tries: 0, failure: expect.stringContaining(failure) }]);
    expect(told).toEqual([]);
    await before.stop();

    const { taken, port: another } = await relay(0);
    expect(await (await sender(another)).sendDue(secondsAfter(start, 5))).toBe(1);
    expect(taken.map(({ to }) => to)).toEqual(["bob@example.com"]);
  },
);

test("news wait out a relay that is down for a day and longer; a code is given up when it is dead, and the log says so", async () => {
  const port = await freePort();
  const notices = await sender(port);
  await write(news);
  await write(code);
  for (let hour = 0; hour <= 30; hour++) await notices.sendDue(secondsAfter(start, hour * 3_600));
  expect(await rows()).toMatchObject([
    { kind: "webhook-disabled", tries: 0, dueAt: expect.any(Date) },
    { kind: "activation-code", dueAt: null, sentAt: null, failure: "its code is dead" },
  ]);
  expect(logged).toContain("its code is dead");
  const { taken } = await relay(port);
  expect(await notices.sendDue(secondsAfter(start, 31 * 3_600))).toBe(1);
  expect(taken.map(({ to }) => to)).toEqual(["bob@example.com"]);
});

test("a code that died while no shop ran is not sent any more", async () => {
  const { taken, port } = await relay(0);
  await write(code);
  await (await sender(port)).sendDue(secondsAfter(start, 900));
  expect(await rows()).toMatchObject([{ dueAt: null, sentAt: null, failure: "its code is dead" }]);
  expect(taken).toEqual([]);
});

test("news that the relay puts off are tried for a day, with growing waits", async () => {
  const { port } = await relay(0, () => ({ at: "data", code: 451 }));
  const notices = await sender(port);
  await write(news);
  const waits: number[] = [];
  let at = start;
  for (;;) {
    await notices.sendDue(at);
    const [row] = await rows();
    if (!row?.dueAt) break;
    waits.push((row.dueAt.getTime() - at.getTime()) / 1000);
    at = row.dueAt;
  }
  expect(waits.slice(0, 7)).toEqual([5, 15, 45, 135, 405, 1215, 3600]);
  const day = waits.reduce((sum, wait) => sum + wait);
  expect(day).toBeGreaterThan(22 * 3_600);
  expect(day).toBeLessThan(24 * 3_600);
  expect(logged).toContain("given up");
});

test("a relay that takes again what it put off gets the other codes at once", async () => {
  let isOff = true;
  const { taken, port } = await relay(0, () => (isOff ? { at: "data", code: 451 } : undefined));
  const notices = await sender(port);
  const [first, second] = [5, 20].map((seconds) => secondsAfter(start, seconds));
  await write(code);
  for (const at of [start, first!]) await notices.sendDue(at);
  await write({ ...code, to: "cara@example.com" }, secondsAfter(start, 19));
  await notices.sendDue(secondsAfter(start, 19));
  isOff = false;
  expect(await rows()).toMatchObject([{ dueAt: second }, { dueAt: secondsAfter(start, 24) }]);
  expect(await notices.sendDue(second)).toBe(2);
  expect(taken.map(({ to }) => to)).toEqual([code.to, "cara@example.com"]);
});

test("one reader whom the relay puts off or refuses holds up nobody else", async () => {
  const { taken, port } = await relay(0, (to) => {
    if (to.startsWith("later")) return { at: "rcpt", code: 450 };
    return to.startsWith("never") ? { at: "data", code: 554 } : undefined;
  });
  const notices = await sender(port);
  for (const to of ["later@example.com", "never@example.com", "ann@example.com"])
    await write({ ...news, to });
  expect(await notices.sendDue(start)).toBe(1);
  expect(taken.map(({ to }) => to)).toEqual(["ann@example.com"]);
  expect(await rows()).toMatchObject([
    { tries: 1, dueAt: secondsAfter(start, 5) },
    { tries: 1, dueAt: null, sentAt: null },
    { tries: 1, sentAt: start },
  ]);
});

test("a relay that refuses our own address is not believed for good: that can be set right", async () => {
  const { port } = await relay(0, () => ({ at: "from", code: 550 }));
  await write(news);
  await (await sender(port)).sendDue(start);
  expect(await rows()).toMatchObject([{ tries: 1, dueAt: secondsAfter(start, 5) }]);
});

test("a connection that breaks in the middle of a mail is a try of that mail, and it goes out later with the same mark", async () => {
  await write(news);
  await (await sender(await quitter("data"))).sendDue(start);
  expect(await rows()).toMatchObject([{ tries: 1, dueAt: secondsAfter(start, 5), sentAt: null }]);
  const [written] = await db<{ payload: string }[]>`select payload::text as payload from task`;
  const marks: (string | undefined)[] = [];
  for (const seconds of [5, 10]) {
    const { taken, port } = await relay(0);
    await db`update task set due_at = ${start}, done_at = null, payload = coalesce(payload, ${written?.payload ?? null}::text::jsonb)`;
    await (await sender(port)).sendDue(secondsAfter(start, seconds));
    marks.push((await PostalMime.parse(taken[0]?.mail ?? "")).messageId);
  }
  expect(marks[0]).toMatch(/^<[a-z]{24}@shop\.example>$/);
  expect(marks[1]).toBe(marks[0]);
});

test("a relay that hangs up at once is down, and no try of a mail", { tags: ["full"] }, async () => {
  await write(news);
  await (await sender(await quitter("greeting"))).sendDue(start);
  expect(await rows()).toMatchObject([{ tries: 0, dueAt: secondsAfter(start, 5), sentAt: null }]);
});

test("what was being sent when its process died is sent by another", async () => {
  const { taken, port } = await relay(0);
  await write(news);
  await db`update task set tries = 1, leased_until = ${secondsAfter(start, 20)}`;
  const notices = await sender(port);
  expect(await notices.sendDue(secondsAfter(start, 19))).toBe(0);
  expect(await notices.sendDue(secondsAfter(start, 20))).toBe(1);
  await vi.waitFor(() => expect(taken).toHaveLength(1), soon);
});

test("while a slow relay is in use no other process sends the same mail: the sender renews its lease", async () => {
  const slow = createServer((socket) => socket.on("error", () => undefined));
  slow.listen(0, "127.0.0.1");
  await once(slow, "listening");
  const came = once(slow, "connection");
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  await write(news, now());
  const notices = await sender((slow.address() as AddressInfo).port);
  const [socket] = (await came) as [Socket];
  const leasedUntil = async () =>
    (await db<{ at: Date }[]>`select leased_until as at from task`)[0]?.at.getTime();
  const taken = (await leasedUntil()) ?? 0;
  vi.advanceTimersByTime(5_000);
  await vi.waitFor(async () => expect(await leasedUntil()).toBeGreaterThan(taken), soon);
  socket.destroy();
  await new Promise((done) => slow.close(done));
  await vi.waitFor(async () => expect((await rows())[0]).toMatchObject({ tries: 0, sentAt: null }), soon);
  await notices.stop();
});
