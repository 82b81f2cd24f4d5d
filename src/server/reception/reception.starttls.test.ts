import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import { connect, type ConnectionOptions, type TLSSocket } from "node:tls";
import nodemailer from "nodemailer";
import { afterEach, expect, test } from "vitest";
import {
  closedAtEnd,
  closeReceptions,
  connectTo,
  introduced,
  receptionWith,
  toData,
} from "../../../test/kit/reception.ts";
import { soon } from "../../../test/kit/soon.ts";
import { talkOver, type Talk } from "../../../test/kit/talk.ts";
import { certificateFor } from "../platform/certificate.ts";
import { now, secondsAfter } from "../platform/clock.ts";
import { createLog } from "../platform/log.ts";

afterEach(closeReceptions);

const name = "mx.letters.test";
const own = certificateFor(name);
const certificate = async () => own;

async function secured(
  talk: Talk,
  options: ConnectionOptions = {},
): Promise<{ talk: Talk; socket: TLSSocket }> {
  talk.socket.removeAllListeners("data");
  const socket = connect({ socket: talk.socket, servername: name, ca: own.cert, ...options });
  await once(socket, "secureConnect");
  return { talk: closedAtEnd(talkOver(socket)), socket };
}

test("a mail program that insists on STARTTLS delivers its letter encrypted", async () => {
  const { reception, kept } = await receptionWith({ certificate });
  const transport = nodemailer.createTransport({
    host: "127.0.0.1",
    port: reception.port,
    requireTLS: true,
    tls: { ca: own.cert, servername: name },
  });
  const letter = {
    from: "no-reply@mail.instagram.com",
    to: ["ann@letters.test", "bob@letters.test"],
    subject: "Код: 482913",
    text: "x".repeat(600_000),
  };
  const sent = await transport.sendMail(letter).finally(() => transport.close());
  expect(sent.accepted).toHaveLength(2);
  expect(kept[0]).toMatchObject({ mailFrom: "no-reply@mail.instagram.com", mailboxIds: [1n, 2n] });
  expect(kept[0]!.raw.length).toBeGreaterThan(600_000);
});

test("STARTTLS is offered until it is done, and what was said before it is forgotten", async () => {
  const { reception, kept } = await receptionWith({ certificate });
  const talk = connectTo(reception);
  await talk.hear();
  expect(await talk.ask("EHLO a.test")).toMatch(/^250[ -]STARTTLS$/m);
  await talk.ask("MAIL FROM:<plain@b.test>");
  expect(await talk.ask("STARTTLS now")).toMatch(/^501 5\.5\.4/);
  expect(await talk.ask("STARTTLS")).toMatch(/^220 2\.0\.0/);
  const { talk: safe } = await secured(talk);
  expect(await safe.ask("RCPT TO:<ann@letters.test>")).toMatch(/^503 5\.5\.1/);
  expect(await safe.ask("MAIL FROM:<safe@b.test>")).toMatch(/^503 5\.5\.1 .*EHLO first/);
  expect(await safe.ask("EHLO b.test")).not.toContain("STARTTLS");
  expect(await safe.ask("STARTTLS")).toMatch(/^503 5\.5\.1/);
  await toData(safe);
  safe.say("x", ".");
  expect(await safe.hear()).toMatch(/^250/);
  expect(kept[0]).toMatchObject({ mailFrom: "no-reply@mail.instagram.com", helo: "b.test" });
});

// Commands injected behind STARTTLS would run as if encrypted (CVE-2011-0411).
test("what is sent in the clear behind STARTTLS is thrown away, however much it is", async () => {
  for (const injected of [
    "NOOP\r\n",
    "EHLO evil.test\r\nMAIL FROM:<evil@b.test>\r\n",
    "NOOP\r\n".repeat(500),
    "MAIL FROM:<half",
  ]) {
    const { reception } = await receptionWith({ certificate });
    const talk = await introduced(reception);
    talk.send(`STARTTLS\r\n${injected}`);
    expect(await talk.hear()).toMatch(/^220/);
    const { talk: safe } = await secured(talk);
    expect(await safe.ask("HELP")).toMatch(/^214/);
    expect(await safe.ask("MAIL FROM:<a@b.test>")).toMatch(/^503 5\.5\.1 .*EHLO first/);
    expect(await safe.ask("EHLO good.test")).toMatch(/^250/);
    expect(await safe.ask("MAIL FROM:<a@b.test>")).toMatch(/^250/);
  }
});

test("nothing older than TLS 1.2 is spoken", async () => {
  const { reception } = await receptionWith({ certificate });
  for (const version of ["TLSv1.2", "TLSv1.3"] as const) {
    const talk = await introduced(reception);
    await talk.ask("STARTTLS");
    const { socket } = await secured(talk, { minVersion: version, maxVersion: version });
    expect(socket.getProtocol()).toBe(version);
  }
  const talk = await introduced(reception);
  await talk.ask("STARTTLS");
  const old = { minVersion: "TLSv1", maxVersion: "TLSv1.1", ciphers: "DEFAULT@SECLEVEL=0" } as const;
  await expect(secured(talk, old)).rejects.toThrow(/protocol version/);
});

test("a client cannot keep the server busy with one handshake after the other", async () => {
  const { reception } = await receptionWith({ certificate });
  const talk = await introduced(reception);
  await talk.ask("STARTTLS");
  const { socket } = await secured(talk, { maxVersion: "TLSv1.2" });
  const refused = await new Promise((resolve) => {
    socket.once("error", resolve);
    socket.renegotiate({}, resolve);
  });
  expect(refused).toBeInstanceOf(Error);
});

test("a handshake that fails costs that connection and no other", async () => {
  const { reception } = await receptionWith({ certificate });
  const other = await introduced(reception);
  const talk = await introduced(reception);
  await talk.ask("STARTTLS");
  talk.send("this is no handshake\r\n".repeat(10));
  await talk.bye();
  expect(await other.ask("NOOP")).toMatch(/^250/);
});

function remembering() {
  const said: string[] = [];
  const log = createLog("silent");
  const remember = (...words: unknown[]) => void said.push(String(words.at(-1)));
  return { said, log: Object.assign(log, { info: remember, warn: remember }) };
}

test("a renewed certificate is taken without closing a connection, and a spoilt one is not", async () => {
  const { said, log } = remembering();
  const next = certificateFor(name);
  let current = own;
  let isBeingWritten = false;
  const { reception, kept } = await receptionWith({
    log,
    certificate: async () => {
      if (isBeingWritten) throw new Error("SMTP_TLS_KEY names a file that is being written");
      return current;
    },
    limits: { certificateSeconds: 0.02 },
  });
  const before = await introduced(reception);
  await before.ask("STARTTLS");
  const { talk: old } = await secured(before);
  await old.ask("EHLO a.test");
  await toData(old);
  old.say("begun under the old one");
  current = next;
  await expect.poll(() => said, soon).toContain("a new certificate is used for STARTTLS");
  isBeingWritten = true;
  await expect.poll(() => said.at(-1), soon).toMatch(/not renewed: Error: SMTP_TLS_KEY names/);
  const after = await introduced(reception);
  await after.ask("STARTTLS");
  const { talk: fresh } = await secured(after, { ca: next.cert });
  expect(await fresh.ask("EHLO a.test")).toMatch(/^250/);
  old.say("and ended under the new one", ".");
  expect(await old.hear()).toMatch(/^250/);
  expect(kept).toHaveLength(1);
  expect(said).toHaveLength(2);
});

test("a certificate that has expired is used, and spoken of at the start: a shop without it would sell nothing", async () => {
  const { said, log } = remembering();
  const over = certificateFor(name, { from: secondsAfter(now(), -7200), until: secondsAfter(now(), -3600) });
  const { reception } = await receptionWith({ log, certificate: async () => over });
  expect(said).toEqual([expect.stringMatching(/^the certificate for STARTTLS expired at 20/)]);
  const talk = await introduced(reception);
  expect(await talk.ask("STARTTLS")).toMatch(/^220/);
});

test("an expired certificate takes the place of no good one", async () => {
  const { said, log } = remembering();
  const good = certificateFor(name);
  const over = certificateFor(name, { from: secondsAfter(now(), -7200), until: secondsAfter(now(), -3600) });
  let given = good;
  const { reception } = await receptionWith({
    log,
    certificate: async () => given,
    limits: { certificateSeconds: 0.01 },
  });
  given = over;
  await expect.poll(() => said.at(-1), soon).toMatch(/is not renewed: .*expired at/);
  expect(reception.validUntil()).toEqual(new X509Certificate(good.cert).validToDate);
});

test("a certificate that will expire within a week is spoken of once", async () => {
  const { said, log } = remembering();
  const until = secondsAfter(now(), 3600);
  const short = certificateFor(name, { from: secondsAfter(now(), -3600), until });
  let looks = 0;
  await receptionWith({
    log,
    certificate: async () => {
      looks++;
      return short;
    },
    limits: { certificateSeconds: 0.01 },
  });
  await expect.poll(() => looks, soon).toBeGreaterThan(4);
  expect(said).toEqual([expect.stringMatching(/^the certificate for STARTTLS expires at 20/)]);
});

test("a certificate that cannot be used at the start is a fault at once", async () => {
  const certificate = () => Promise.reject(new Error("SMTP_TLS_CERT names /x, which does not exist."));
  await expect(receptionWith({ certificate })).rejects.toThrow("SMTP_TLS_CERT names /x");
});
