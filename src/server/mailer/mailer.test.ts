import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import PostalMime from "postal-mime";
import { SMTPServer } from "smtp-server";
import { afterEach, beforeAll, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { createDatabase } from "../../../test/kit/database.ts";
import { freePort } from "../../../test/kit/port.ts";
import { soon } from "../../../test/kit/soon.ts";
import { languageCodes, languages } from "../../i18n/languages.ts";
import { now, secondsAfter } from "../platform/clock.ts";
import type { Dkim } from "../platform/config/config.ts";
import { attempt, type Db, type Tx } from "../platform/db/db.ts";
import { createLog } from "../platform/log.ts";
import { createSeal } from "../platform/seal.ts";
import { type Notice, type Mailer, openMailer, queue } from "./mailer.ts";
import { ownerKinds, ownerTexts } from "./mailer.owner.texts.ts";
import { noticeKinds } from "./mailer.texts.ts";
import { outbox } from "./mailer.transport.ts";

const seal = createSeal(Buffer.alloc(32, 9));
const at = now();
let db: Db;
let dataDir: string;
let logged: string[];
const open: Mailer[] = [];

beforeAll(async () => {
  ({ db } = await createDatabase());
});
beforeEach(async () => {
  logged = [];
  dataDir = await mkdtemp(join(tmpdir(), "postern-notices-"));
});
afterEach(async () => {
  for (const notices of open.splice(0)) await notices.stop();
  await db`delete from task`;
  await rm(dataDir, { recursive: true, force: true });
});

async function sender(mailUrl?: string, dkim?: Dkim): Promise<Mailer> {
  const write = (line: string) => void logged.push(line);
  const notices = await openMailer({
    db,
    seal,
    config: {
      mailUrl,
      mailFrom: "Postern <no-reply@shop.test>",
      dkim,
      dataDir,
      publicUrl: "https://shop.test",
    },
    log: createLog("info", { write }),
  });
  open.push(notices);
  return notices;
}

const to = "ann@example.com";
const write = (notice: Partial<Notice> = {}, when = at) =>
  attempt(db, async (tx) => {
    const code = { to, kind: "activation-code", language: "en", values: { code: "493817" } } as const;
    await queue(tx, seal, { ...code, ...notice }, { userId: 1n });
    await setTime(tx, when);
    return undefined;
  });

/** As if the last one were of this time. */
const setTime = (tx: Tx, at: Date) =>
  tx`update task set created_at = ${at}, due_at = ${at} where id = (select max(id) from task)`;

const files = () => readdir(join(dataDir, "outbox")).catch((): string[] => []);
const rows = () =>
  db<
    {
      sentAt: Date | null;
      dueAt: Date | null;
      sealed: string | null;
      tries: number;
      failure: string | null;
    }[]
  >`
    select done_at as "sentAt", due_at as "dueAt", payload->>'sealed' as sealed, tries, failure from task order by id`;

async function onlyMail(): Promise<string> {
  const [file = ""] = await vi.waitFor(async () => {
    const there = await files();
    expect(there).toHaveLength(1);
    return there;
  }, soon);
  return readFile(join(dataDir, "outbox", file), "utf8");
}

async function relay(no?: () => { responseCode: number; at: "rcpt" | "data" } | undefined) {
  const taken: string[] = [];
  const refusal = (place: "rcpt" | "data") => {
    const said = no?.();
    return said?.at === place ? Object.assign(new Error("not now"), said) : undefined;
  };
  const server = new SMTPServer({
    disabledCommands: ["AUTH", "STARTTLS"],
    onRcptTo: (_address, _session, done) => done(refusal("rcpt")),
    onData(stream, _session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const fault = refusal("data");
        if (!fault) taken.push(Buffer.concat(chunks).toString("utf8"));
        done(fault);
      });
    },
  });
  await new Promise<void>((up) => server.listen(0, "127.0.0.1", up));
  onTestFinished(async () => {
    for (const notices of open.splice(0)) await notices.stop();
    await new Promise<void>((down) => server.close(down));
  });
  return { taken, url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}` };
}

test("a notice is out as soon as its transaction commits, and not a moment before", async () => {
  await sender();
  await attempt(db, async (tx) => {
    await queue(
      tx,
      seal,
      { to, kind: "reset-code", language: "en", values: { code: "111222" } },
      { userId: 1n },
    );
    return "undone";
  });
  await write();
  expect(await onlyMail()).toContain("493817");
});

test.each([-600, 600])(
  "a process whose clock is off by %i s orders and sends mails that are due now",
  async (seconds) => {
    await sender();
    vi.useFakeTimers({ toFake: ["Date"], now: secondsAfter(now(), seconds) });
    onTestFinished(() => void vi.useRealTimers());
    await attempt(db, async (tx) => {
      await queue(
        tx,
        seal,
        { to, kind: "reset-code", language: "en", values: { code: "111222" } },
        { userId: 1n },
      );
      return undefined;
    });
    expect(await onlyMail()).toContain("111222");
    const [times] =
      await db`select created_at between now() - interval '1 minute' and now() as "isNow" from task`;
    expect(times).toMatchObject({ isNow: true });
  },
);

test("without a relay each mail is a whole file, named after its time and reader, and the log names it", async () => {
  await sender();
  await write();
  const mail = await onlyMail();
  const [file = ""] = await files();
  expect(file).toMatch(/^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z-ann@example\.com\.eml$/);
  expect(mail).toMatch(/^493817$/m);
  await vi.waitFor(() => expect(logged.join("")).toContain(file), soon);
  expect(logged.join("")).not.toContain("493817");
});

test("two processes that write to one address in one millisecond leave both mails", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: at });
  onTestFinished(() => void vi.useRealTimers());
  const senders = [1, 2].map(() =>
    outbox(join(dataDir, "outbox"), { from: "no-reply@shop.test", dkim: undefined }),
  );
  const mail = { to, mark: "abc", subject: "Code", text: "493817", html: "493817" };
  const sent = senders.flatMap((each) => Array.from({ length: 10 }, () => each.send(mail)));
  await Promise.all(sent);
  expect(await readdir(join(dataDir, "outbox"))).toHaveLength(20);
});

test("an address with signs that a file system does not take still gets its file", async () => {
  await sender();
  await write({ to: "a/../b*?|c@example.com" });
  await onlyMail();
  expect((await files())[0]).toMatch(/Z-a_.._b___c@example\.com\.eml$/);
});

test("what was filled in is sealed while it waits, and wiped when it is sent", async () => {
  await write();
  const [waiting] = await rows();
  expect(Buffer.from(waiting?.sealed ?? "", "base64").toString("latin1")).not.toContain("493817");
  await sender();
  await onlyMail();
  await vi.waitFor(async () => expect((await rows())[0]).toMatchObject({ sealed: null, dueAt: null }), soon);
  expect((await rows())[0]?.sentAt).not.toBeNull();
});

test("what a process left behind is sent when one starts", async () => {
  await write();
  await sender();
  expect(await onlyMail()).toContain("493817");
});

test("a newer code takes the place of one that still waits", async () => {
  await write({ values: { code: "100001" } });
  await write({ kind: "reset-code", values: { code: "300003" } });
  await write({ values: { code: "200002" } });
  await sender();
  await vi.waitFor(async () => expect(await files()).toHaveLength(2), soon);
  const mails = await Promise.all(
    (await files()).map((file) => readFile(join(dataDir, "outbox", file), "utf8")),
  );
  expect(mails.join("")).not.toContain("100001");
});

test("three senders at once send each of sixty mails once", async () => {
  const senders = [await sender(), await sender(), await sender()];
  const start = secondsAfter(now(), 3_600);
  for (let n = 0; n < 60; n++) await write({ to: `reader${n}@example.com` }, start);
  const sent = await Promise.all(senders.map((each) => each.sendDue(start)));
  expect(sent.reduce((sum, count) => sum + count)).toBe(60);
  expect(await files()).toHaveLength(60);
  expect((await rows()).every((row) => row.tries === 1)).toBe(true);
});

test("a relay gets the mail by SMTP", async () => {
  const { taken, url } = await relay();
  await sender(url);
  await write({ language: "ru" });
  await vi.waitFor(() => expect(taken).toHaveLength(1), soon);
  const mail = await PostalMime.parse(taken[0] ?? "");
  expect(mail).toMatchObject({ subject: "Код активации Postern", to: [{ address: to }] });
  expect(mail.from).toMatchObject({ name: "Postern", address: "no-reply@shop.test" });
  expect(mail.text).toMatch(/^493817$/m);
  expect(await files()).toEqual([]);
});

test("a relay that has trouble is asked again later, and in the end we give up, say so and wipe the code", async () => {
  const { taken, url } = await relay(() => ({ responseCode: 451, at: "data" }));
  const notices = await sender(url);
  // In the future, so that only the tries of this test find it due.
  const start = secondsAfter(now(), 3_600);
  await write({}, start);
  for (const [index, seconds] of [0, 5, 20, 65, 185, 305, 425, 545, 665, 785].entries()) {
    await notices.sendDue(secondsAfter(start, seconds - 1));
    expect((await rows())[0]).toMatchObject({ tries: index, sentAt: null });
    await notices.sendDue(secondsAfter(start, seconds));
    expect((await rows())[0]).toMatchObject({ tries: index + 1, sentAt: null });
  }
  expect((await rows())[0]).toMatchObject({ dueAt: null, sealed: null });
  expect(logged.join("")).toContain("given up");
  expect(taken).toEqual([]);
});

test("a relay that has recovered gets the mail at the next try", async () => {
  let isDown = true;
  const { taken, url } = await relay(() => (isDown ? { responseCode: 451, at: "data" } : undefined));
  const notices = await sender(url);
  const start = secondsAfter(now(), 3_600);
  await write({}, start);
  expect(await notices.sendDue(start)).toBe(0);
  isDown = false;
  expect(await notices.sendDue(secondsAfter(start, 5))).toBe(1);
  expect(taken).toHaveLength(1);
});

test("a reader whom the relay does not know is given up at once", async () => {
  const { url } = await relay(() => ({ responseCode: 550, at: "rcpt" }));
  await write();
  await sender(url);
  await vi.waitFor(async () => expect((await rows())[0]).toMatchObject({ dueAt: null, sealed: null }), soon);
  expect(await rows()).toMatchObject([
    { tries: 1, sentAt: null, failure: expect.stringContaining("not now") },
  ]);
  expect(logged.join("")).toContain("given up");
});

test("two webhooks that are switched off at once are told of in two mails", async () => {
  for (const webhook of ["one.example", "two.example"])
    await write({ kind: "webhook-disabled", values: { webhook } });
  await sender();
  await vi.waitFor(async () => expect(await files()).toHaveLength(2), soon);
});

test.each(languageCodes)(
  "in %s it is told which webhook was switched off, without a code",
  async (language) => {
    await sender();
    await write({ kind: "webhook-disabled", language, values: { webhook: "<b>program.example" } });
    const mail = await PostalMime.parse(await onlyMail());
    expect(mail.text).toContain("<b>program.example");
    expect(mail.html).toContain("&lt;b&gt;program.example");
    expect(mail.html).toContain(`<html lang="${language}" dir="${languages[language].direction}">`);
    expect(mail.html).not.toContain('class="code"');
    for (const part of [mail.text, mail.html]) {
      expect(part).toContain("shop.test");
      expect(part).not.toMatch(/[{}]\w+\}|undefined|\d{6,}/);
    }
  },
);

const link = "AbCdEfGhIjKlMnOpQrStUvW";
const codeKinds = noticeKinds.filter((kind) => kind.endsWith("-code"));
const written = codeKinds.flatMap((kind) => languageCodes.map((language) => [kind, language] as const));

test.each(written)(
  "%s in %s: text and HTML, with no run of six digits but the code",
  async (kind, language) => {
    await sender();
    const isOfTwo = kind.endsWith("email-code");
    const more = isOfTwo ? { email: "<b>new@example.com" } : { link };
    await write({ kind, language, values: { code: "493817", ...more } });
    const raw = await onlyMail();
    expect(raw.match(/\d{6,}/g)).toEqual(["493817", "493817"]);
    expect(raw).not.toMatch(/base64/i);
    const mail = await PostalMime.parse(raw);
    expect(mail.subject).toContain("Postern");
    expect(mail.subject).not.toMatch(/\d/);
    expect(mail.text).toMatch(/^493817$/m);
    expect(mail.html).toContain(`<html lang="${language}" dir="${languages[language].direction}">`);
    for (const part of [mail.text, mail.html]) {
      expect(part).toContain("15");
      const mode = kind === "reset-code" ? `reset/${link}/ann%40example.com` : `activate/${link}`;
      // Where two codes are needed a link would be of no use.
      expect(new RegExp(`https://shop.test/${language}#${mode}["\\s]`).test(part ?? "")).toBe(!isOfTwo);
      expect(part).not.toMatch(/[{}]\w+\}|undefined/);
    }
    expect(mail.html).not.toMatch(/<img|<script|@import|url\(/);
  },
);

const happening = {
  at: "2026-11-28T16:05:59.123Z",
  network: "203.0.113.7",
  program: "Firefox, Windows",
  webhook: "<b>program.example",
  role: "investor" as const,
  link,
};
const tellOwner = (language: string, kind: (typeof ownerKinds)[number], times: number) =>
  write({ kind, language, values: { ...happening, times } });

test.each(ownerKinds.flatMap((kind) => languageCodes.map((language) => [kind, language] as const)))(
  "%s in %s tells the owner what happened, when, from where and what to do, in text and HTML",
  async (kind, language) => {
    const said = ownerTexts[language];
    await tellOwner(language, kind, 1);
    await sender();
    const raw = await onlyMail();
    expect(raw).not.toMatch(/\d{6,}/);
    const { subject, text = "", html = "" } = await PostalMime.parse(raw);
    expect(subject).toBe(`Postern: ${said.acts[kind].title}`);
    expect(html).toContain(`<html lang="${language}" dir="${languages[language].direction}">`);
    for (const part of [text, html]) {
      for (const fact of ["28.11.2026 16:05 UTC", "203.0.113.7", "Firefox, Windows", "shop.test"])
        expect(part).toContain(fact);
      expect(part).toMatch(
        new RegExp(`https://shop.test/${language}#disown/${link}/ann%40example.com["\\s]`),
      );
      expect(part).not.toMatch(/[{}]\w+\}|undefined/);
      expect(part).not.toContain(said.times.replace("{times}", "1"));
    }
    if (kind === "webhook-added") expect(html).toContain("&lt;b&gt;program.example");
    if (kind === "role-granted") expect(text).toContain(said.roles.investor);
    expect(html).toContain(`>${said.button}</a>`);
    expect(html).not.toMatch(/<img|<script|@import|url\(|class="code"/);
  },
);

test("a mail of what happened several times says how often", async () => {
  await tellOwner("en", "token-added", 7);
  await sender();
  expect(await onlyMail()).toContain("How many times since the email before: 7");
});

test("codes go before other mail, however long that has waited", async () => {
  // A relay that is down is asked for the first ten alone.
  const url = `smtp://127.0.0.1:${await freePort()}`;
  const start = secondsAfter(now(), 3_600);
  const news = { kind: "webhook-disabled", values: { webhook: "a.example" } } as const;
  for (let n = 0; n < 12; n++) await write(news, start);
  await write({}, secondsAfter(start, 60));
  await (await sender(url)).sendDue(secondsAfter(start, 60));
  const asked = (await rows()).map(({ failure }) => failure !== null);
  expect(asked.at(-1)).toBe(true);
  expect(asked.filter(Boolean)).toHaveLength(10);
});
