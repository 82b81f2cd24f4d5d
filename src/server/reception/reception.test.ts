// @module-tag slow
import { afterEach, expect, test } from "vitest";
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
import { BatcherFull } from "../platform/db/batcher.ts";

afterEach(closeReceptions);

test("a letter is taken word for word, in the steps of RFC 5321", async () => {
  const { reception, kept } = await receptionWith();
  const talk = connectTo(reception);
  expect(await talk.hear()).toMatch(/^220 mx\.letters\.test ESMTP/);
  const features = await talk.ask("EHLO mail.instagram.com");
  expect(features).toMatch(/^250-mx\.letters\.test/);
  for (const feature of ["PIPELINING", "8BITMIME", "SMTPUTF8", "SIZE 10485760", "ENHANCEDSTATUSCODES"])
    expect(features).toContain(feature);
  // What is offered must work: there are no delivery reports and no BDAT.
  expect(features).not.toMatch(/AUTH|STARTTLS|DSN|CHUNKING|BINARYMIME|XCLIENT|XFORWARD|REQUIRETLS/);
  expect(await talk.ask("MAIL FROM:<no-reply@mail.instagram.com>")).toMatch(/^250 2\.1\.0/);
  expect(await talk.ask("RCPT TO:<Ann@Letters.TEST>")).toMatch(/^250 2\.1\.5/);
  expect(await talk.ask("RCPT TO:<bob@letters.test>")).toMatch(/^250 2\.1\.5/);
  expect(await talk.ask("DATA")).toMatch(/^354 /);
  talk.say("Subject: Hi", "", "..dots are unstuffed", "ünïcode", ".");
  expect(await talk.hear()).toMatch(/^250 2\.6\.0/);
  expect(await talk.ask("QUIT")).toMatch(/^221 /);
  expect(kept).toHaveLength(1);
  expect(kept[0]).toMatchObject({ mailFrom: "no-reply@mail.instagram.com", mailboxIds: [1n, 2n] });
  expect(kept[0]?.raw.toString()).toBe("Subject: Hi\r\n\r\n.dots are unstuffed\r\nünïcode\r\n");
});

test("commands that are sent without waiting are answered in order", async () => {
  const { reception, kept } = await receptionWith();
  const talk = await introduced(reception);
  talk.say(
    "MAIL FROM:<>",
    "RCPT TO:<nobody@letters.test>",
    "RCPT TO:<ann@letters.test>",
    "DATA",
    "Subject: pipelined",
    "",
    "text",
    ".",
    "QUIT",
  );
  const replies = [];
  for (let count = 0; count < 6; count++) replies.push((await talk.hear()).slice(0, 3));
  expect(replies).toEqual(["250", "550", "250", "354", "250", "221"]);
  expect(kept[0]).toMatchObject({ mailFrom: "", mailboxIds: [1n] });
});

test("a hundred recipients are taken, and the next is put off", async () => {
  const { reception, kept } = await receptionWith();
  const talk = await introduced(reception);
  await talk.ask("MAIL FROM:<a@b.test>");
  for (let box = 1; box <= 100; box++)
    expect(await talk.ask(`RCPT TO:<box${box}@letters.test>`)).toMatch(/^250/);
  expect(await talk.ask("RCPT TO:<box101@letters.test>")).toMatch(/^452 4\.5\.3/);
  await talk.ask("DATA");
  talk.say("x", ".");
  expect(await talk.hear()).toMatch(/^250/);
  expect(kept[0]?.mailboxIds).toHaveLength(100);
});

test.each([
  "AUTH PLAIN AGEAYg==",
  "STARTTLS",
  "EXPN staff",
  "XCLIENT NAME=x",
  "XFORWARD NAME=x",
  "BDAT 5 LAST",
  "WIZ",
  "SHELL",
])("%s is no command here", async (command) => {
  const { reception } = await receptionWith();
  const talk = await introduced(reception);
  expect(await talk.ask(command)).toMatch(/^5[05][0-9] 5\./);
});

test("who talks before the greeting, or speaks HTTP, is shown the door", async () => {
  const { reception } = await receptionWith();
  const early = connectTo(reception);
  early.say("EHLO spam", "MAIL FROM:<a@b.test>");
  expect(await early.bye()).toMatch(/^421 /);
  const flood = connectTo(reception);
  flood.send("x".repeat(1_000_000));
  expect(await flood.bye()).toMatch(/^(421 .*)?$/);
  const page = connectTo(reception);
  await page.hear();
  page.say("POST / HTTP/1.1");
  expect(await page.bye()).toMatch(/^421 /);
});

test("a letter is put off, not lost and not acknowledged, when it cannot be kept", async () => {
  const faults = [new BatcherFull(1), new Error("the disk is full")];
  const { reception } = await receptionWith({ keep: () => Promise.reject(faults.shift()!) });
  for (const _ of [1, 2]) {
    const talk = await atData(reception);
    talk.say("text", ".");
    expect(await talk.hear()).toMatch(/^451 4\.3\.0/);
  }
});

test("250 is not said before the letter is kept", async () => {
  const { keep, asked, release } = heldKeep();
  const { reception } = await receptionWith({ keep });
  const talk = await atData(reception);
  talk.say("text", ".");
  let isAnswered = false;
  const answer = talk.hear().then((reply) => {
    isAnswered = true;
    return reply;
  });
  await asked;
  expect(isAnswered).toBe(false);
  release();
  expect(await answer).toMatch(/^250/);
});

test("a letter that says its size is refused before it is sent when it is too long", async () => {
  const { reception } = await receptionWith({ limits: { sizeBytes: 1000 } });
  const talk = await introduced(reception);
  expect(await talk.ask("MAIL FROM:<a@b.test> SIZE=1001")).toMatch(/^552 5\.3\.4/);
  expect(await talk.ask("MAIL FROM:<a@b.test> SIZE=1000")).toMatch(/^250/);
});

test("a letter that is longer than it may be is refused, and the connection goes on", async () => {
  const { reception, kept } = await receptionWith({ limits: { sizeBytes: 1000 } });
  const talk = await atData(reception);
  talk.say("x".repeat(1100), ".");
  expect(await talk.hear()).toMatch(/^552 5\.3\.4/);
  await toData(talk);
  talk.say("x".repeat(900), ".");
  expect(await talk.hear()).toMatch(/^250/);
  expect(kept).toHaveLength(1);
});

test("who sends without end is cut off", async () => {
  const { reception, kept } = await receptionWith({ limits: { sizeBytes: 100_000 } });
  const talk = await atData(reception);
  const pour = () => {
    while (!talk.socket.destroyed && talk.socket.write("x".repeat(10_000)));
  };
  talk.socket.on("drain", pour);
  pour();
  expect(await talk.bye()).toMatch(/^(552.*)?$/);
  expect(kept).toHaveLength(0);
});

test("a letter that breaks off is nothing", async () => {
  const { reception, kept } = await receptionWith();
  const talk = await atData(reception);
  talk.say("Subject: half");
  talk.close();
  const next = await atData(reception);
  next.say("whole", ".");
  await next.hear();
  expect(kept.map(({ raw }) => raw.toString())).toEqual(["whole\r\n"]);
});

test("an address that holds too many connections is asked to wait, until one ends", async () => {
  const { reception } = await receptionWith({
    limits: { connectionsPerAddress: 2 },
    isTrusted: () => false,
  });
  const first = await introduced(reception);
  await introduced(reception);
  const third = connectTo(reception);
  expect(await third.bye()).toMatch(/^421 /);
  await first.ask("QUIT");
  first.close();
  await expect
    .poll(
      async () =>
        connectTo(reception)
          .hear()
          .catch(() => "closed"),
      soon,
    )
    .toMatch(/^220/);
});

test("a proxy that is named says who the sender is, and must; nobody else can", async () => {
  const { reception, kept } = await receptionWith({ proxies: ["127.0.0.1"] });
  const talk = connectTo(reception);
  talk.say("PROXY TCP4 198.51.100.7 192.0.2.1 51000 25");
  expect(await talk.hear()).toMatch(/^220/);
  for (const line of [
    "EHLO mail.instagram.com",
    "MAIL FROM:<a@b.test>",
    "RCPT TO:<ann@letters.test>",
    "DATA",
  ])
    await talk.ask(line);
  expect(await talk.ask("Hello\r\n.")).toMatch(/^250/);
  expect(kept).toMatchObject([{ remote: "198.51.100.7" }]);
  const silent = connectTo(reception);
  silent.say("EHLO mail.instagram.com");
  expect(await silent.bye()).toMatch(/BAD/);
  const { reception: plain } = await receptionWith();
  const stranger = connectTo(plain);
  expect(await stranger.hear()).toMatch(/^220/);
  expect(await stranger.ask("PROXY TCP4 198.51.100.7 192.0.2.1 51000 25")).toMatch(/^5/);
});

test("an address that guesses mailboxes is cut off and stays out for a while", async () => {
  const { reception } = await receptionWith({ limits: { errorsPerMinute: 3 }, isTrusted: () => false });
  const talk = await introduced(reception);
  await talk.ask("MAIL FROM:<a@b.test>");
  expect(await talk.ask("RCPT TO:<a@letters.test>")).toMatch(/^550/);
  expect(await talk.ask("RCPT TO:<b@letters.test>")).toMatch(/^550/);
  talk.say("RCPT TO:<c@letters.test>", "MAIL FROM:<a@b.test>");
  expect(await talk.bye()).toMatch(/^550 .*\r\n(250 .*\r\n|503 .*\r\n)?421 /);
  expect(await connectTo(reception).hear()).toMatch(/^421 /);
});

test.each([
  ["senseless commands", "VRFY"],
  ["broken addresses", "MAIL FROM:<a@b"],
  ["commands out of order", "DATA"],
  ["relaying", "RCPT TO:<ann@elsewhere.test>"],
  ["lines that are too long", "x".repeat(5000)],
])("%s count as errors too", async (_what, command) => {
  const { reception } = await receptionWith({ limits: { errorsPerMinute: 3 }, isTrusted: () => false });
  const talk = await introduced(reception);
  await talk.ask("MAIL FROM:<a@b.test>");
  expect(await talk.ask(command)).toMatch(/^5/);
  expect(await talk.ask(command)).toMatch(/^5/);
  talk.say(command);
  expect(await talk.bye()).toMatch(/^5.*\r\n421 /);
});

test("a letter that another connection of a guesser is sending is not lost by it", async () => {
  const { reception, kept } = await receptionWith({ limits: { errorsPerMinute: 1 }, isTrusted: () => false });
  const busy = await atData(reception);
  const guesser = await introduced(reception);
  guesser.say("BLAH");
  await guesser.bye();
  busy.say("text", ".");
  expect(await busy.hear()).toMatch(/^250/);
  expect(kept).toHaveLength(1);
});

test("a name is not confirmed, a list not told, and help is polite", async () => {
  const { reception } = await receptionWith();
  const talk = await introduced(reception);
  expect(await talk.ask("VRFY ann@letters.test")).toMatch(/^252 2\.1\.5/);
  expect(await talk.ask("VRFY nobody@letters.test")).toMatch(/^252 2\.1\.5/);
  expect(await talk.ask("EXPN staff")).toMatch(/^50[02] 5\.5\./);
  expect(await talk.ask("HELP")).toMatch(/^214 2\.0\.0/);
  expect(await talk.ask("NOOP ignored")).toMatch(/^250 2\.0\.0/);
});

test.each(["[192.0.2.1]", "[IPv6:2001:db8::1]", "192.0.2.1", "WIN-PC_42", "localhost", "münchen.test", "-"])(
  "%s is a name to greet with, as honest machines have worse",
  async (name) => {
    const { reception, kept } = await receptionWith();
    const talk = connectTo(reception);
    await talk.hear();
    expect(await talk.ask(`EHLO ${name}`)).toMatch(/^250/);
    await toData(talk);
    talk.say("x", ".");
    await talk.hear();
    expect(kept[0]).toMatchObject({ helo: name.toLowerCase(), remote: "127.0.0.1" });
  },
);

test("who does not greet, or with nothing, may send nothing", async () => {
  const { reception } = await receptionWith();
  const talk = connectTo(reception);
  await talk.hear();
  expect(await talk.ask("MAIL FROM:<a@b.test>")).toMatch(/^503 5\.5\.1/);
  expect(await talk.ask("EHLO")).toMatch(/^501/);
  expect(await talk.ask("MAIL FROM:<a@b.test>")).toMatch(/^503 5\.5\.1/);
  expect(await talk.ask(`EHLO ${"a".repeat(400)}.test`)).toMatch(/^501/);
});

test("a line that is too long is refused, and the letter behind it is taken", async () => {
  const { reception, kept } = await receptionWith();
  const talk = await introduced(reception);
  for (const command of ["BLAH", "NOOP", "MAIL FROM:<a@b.test>", "RCPT TO:<ann@letters.test>"])
    expect(await talk.ask(`${command} ${"x".repeat(5000)}`)).toMatch(/^500 5\.5\.2 /);
  expect(await talk.ask(`HELP ${"x".repeat(60_000)}`)).toMatch(/^500 5\.5\.2 /);
  expect(await talk.ask(`NOOP ${"x".repeat(4000)}`)).toMatch(/^250 /);
  await toData(talk);
  talk.say("x".repeat(70_000), ".");
  expect(await talk.hear()).toMatch(/^250 /);
  expect(kept).toHaveLength(1);
  talk.say(...Array<string>(10).fill("x".repeat(5000)));
  expect(await talk.bye()).toMatch(/421 .*$/);
});

test("ten words that are no commands end the conversation, and so does a line without end", async () => {
  const { reception } = await receptionWith();
  const talk = await introduced(reception);
  talk.say(...Array<string>(10).fill("BLAH"));
  expect(await talk.bye()).toMatch(/421 .*$/);
  const long = await introduced(reception);
  long.send("A".repeat(66_000));
  expect(await long.bye()).toMatch(/^421 /);
});

test("silence and letters that drip for too long are ended", async () => {
  const { reception } = await receptionWith({ limits: { idleSeconds: 0.8 } });
  const silent = await introduced(reception);
  expect(await silent.bye()).toMatch(/^421 /);
  const other = await receptionWith({ limits: { letterSeconds: 0.8 } });
  const dripping = await atData(other.reception);
  const drip = setInterval(() => dripping.send("x"), 20);
  expect(await dripping.bye()).toMatch(/^421 /);
  clearInterval(drip);
  expect(other.kept).toHaveLength(0);
});

test("a server that stops lets a letter in flight end, and says 421 to the idle", async () => {
  const { reception, kept } = await receptionWith();
  const idle = await introduced(reception);
  const begun = await introduced(reception);
  await begun.ask("MAIL FROM:<a@b.test>");
  const busy = await atData(reception);
  busy.say("Subject: last");
  const stopped = reception.stop();
  expect(await idle.bye()).toMatch(/^421 /);
  expect(await begun.bye()).toMatch(/^421 /);
  busy.say("", "text", ".");
  expect(await busy.hear()).toMatch(/^250/);
  expect(await busy.bye()).toMatch(/^421 /);
  await stopped;
  expect(kept).toHaveLength(1);
  await expect(connectTo(reception).hear()).rejects.toThrow("ended");
});

test("a port that is taken is a fault at once", async () => {
  const { reception } = await receptionWith();
  await expect(receptionWith({ port: reception.port })).rejects.toThrow("EADDRINUSE");
});
