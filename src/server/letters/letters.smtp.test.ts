import { afterEach, expect, test } from "vitest";
import { talkTo, type Talk } from "../../../test/kit/talk.ts";
import { LaneFull } from "../kit/lane.ts";
import { createLog } from "../kit/log.ts";
import { openReception, type Incoming, type Reception, type ReceptionOptions } from "./letters.smtp.ts";

const log = createLog("silent");
const patience = { timeout: 15_000, interval: 20 };
const open: { receptions: Reception[]; talks: Talk[] } = { receptions: [], talks: [] };

afterEach(async () => {
  for (const talk of open.talks.splice(0)) talk.close();
  for (const reception of open.receptions.splice(0)) await reception.stop();
});

/** A reception for ann@letters.test and bob@letters.test (and box1…box200), and what it kept. */
async function receptionWith(options: Partial<ReceptionOptions> = {}) {
  const kept: Incoming[] = [];
  const reception = await openReception({
    host: "127.0.0.1",
    port: 0,
    hostname: "mx.letters.test",
    log,
    isOurDomain: (domain) => domain === "letters.test" || domain === "xn--bcher-kva.test",
    isOurs: async (address) => {
      if (address === "ann@letters.test") return 1n;
      if (address === "bob@letters.test") return 2n;
      if (address === "ann@xn--bcher-kva.test") return 3n;
      const box = /^box(\d+)@letters\.test$/.exec(address);
      return box ? 100n + BigInt(box[1]!) : undefined;
    },
    keep: async (letter) => void kept.push(letter),
    ...options,
  });
  open.receptions.push(reception);
  return { kept, reception };
}

function connectTo(reception: Reception): Talk {
  const talk = talkTo(reception.port);
  open.talks.push(talk);
  return talk;
}

/** A connection that was greeted and has said EHLO. */
async function introduced(reception: Reception): Promise<Talk> {
  const talk = connectTo(reception);
  await talk.hear();
  await talk.ask("EHLO mail.instagram.com");
  return talk;
}

/** … and that may send a letter to ann now. */
async function atData(reception: Reception): Promise<Talk> {
  const talk = await introduced(reception);
  await toData(talk);
  return talk;
}

async function toData(talk: Talk): Promise<void> {
  await talk.ask("MAIL FROM:<no-reply@mail.instagram.com>");
  await talk.ask("RCPT TO:<ann@letters.test>");
  expect(await talk.ask("DATA")).toMatch(/^354 /);
}

test("a letter is taken word for word, in the steps of RFC 5321", async () => {
  const { reception, kept } = await receptionWith();
  const talk = connectTo(reception);
  expect(await talk.hear()).toMatch(/^220 mx\.letters\.test ESMTP/);
  const features = await talk.ask("EHLO mail.instagram.com");
  expect(features).toMatch(/^250-mx\.letters\.test/);
  for (const feature of ["PIPELINING", "8BITMIME", "SMTPUTF8", "SIZE 10485760", "ENHANCEDSTATUSCODES"])
    expect(features).toContain(feature);
  expect(features).not.toMatch(/AUTH|STARTTLS/);
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

test("an unknown recipient is refused when it is named, and nothing is relayed", async () => {
  const { reception } = await receptionWith();
  const talk = await introduced(reception);
  await talk.ask("MAIL FROM:<a@b.test>");
  expect(await talk.ask("RCPT TO:<nobody@letters.test>")).toMatch(/^550 5\.1\.1 /);
  expect(await talk.ask("RCPT TO:<ann@elsewhere.test>")).toMatch(/^550 5\.7\.1 Relaying denied/);
  expect(await talk.ask("RCPT TO:<ann%elsewhere.test@letters.test>")).toMatch(/^550 5\.1\.1 /);
  expect(await talk.ask("RCPT TO:<postmaster>")).toMatch(/^550 5\.1\.1 /);
  expect(await talk.ask("RCPT TO:<ann@>")).toMatch(/^501 /);
  expect(await talk.ask("DATA")).toMatch(/^503 /);
});

test("an address is found in any spelling of its domain", async () => {
  const { reception, kept } = await receptionWith();
  const talk = await introduced(reception);
  await talk.ask("MAIL FROM:<ü@bücher.test> SMTPUTF8");
  expect(await talk.ask("RCPT TO:<ann@BÜCHER.test>")).toMatch(/^250 /);
  expect(await talk.ask("RCPT TO:<ann@xn--bcher-kva.test>")).toMatch(/^250 /);
  await talk.ask("DATA");
  talk.say("", ".");
  expect(await talk.hear()).toMatch(/^250 /);
  expect(kept[0]?.mailboxIds).toEqual([3n]);
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

test.each(["AUTH PLAIN AGEAYg==", "STARTTLS", "EXPN staff", "XCLIENT NAME=x", "BDAT 5 LAST", "WIZ", "SHELL"])(
  "%s is no command here",
  async (command) => {
    const { reception } = await receptionWith();
    const talk = await introduced(reception);
    expect(await talk.ask(command)).toMatch(/^5[05][0-9] 5\./);
  },
);

test("who talks before the greeting, or speaks HTTP, is shown the door", async () => {
  const { reception } = await receptionWith();
  const early = connectTo(reception);
  early.say("EHLO spam", "MAIL FROM:<a@b.test>");
  expect(await early.bye()).toMatch(/^421 /);
  const page = connectTo(reception);
  await page.hear();
  page.say("POST / HTTP/1.1");
  expect(await page.bye()).toMatch(/^421 /);
});

test("a letter is put off, not lost and not acknowledged, when it cannot be kept", async () => {
  const faults = [new LaneFull(1), new Error("the disk is full")];
  const { reception } = await receptionWith({ keep: () => Promise.reject(faults.shift()!) });
  for (const _ of [1, 2]) {
    const talk = await atData(reception);
    talk.say("text", ".");
    expect(await talk.hear()).toMatch(/^451 4\.3\.0/);
  }
});

test("250 is not said before the letter is kept", async () => {
  const held = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  const { reception } = await receptionWith({
    keep: () => {
      asked.resolve();
      return held.promise;
    },
  });
  const talk = await atData(reception);
  talk.say("text", ".");
  let isAnswered = false;
  const answer = talk.hear().then((reply) => {
    isAnswered = true;
    return reply;
  });
  await asked.promise;
  expect(isAnswered).toBe(false);
  held.resolve();
  expect(await answer).toMatch(/^250/);
});

// What ends a letter is CRLF.CRLF and nothing else; servers that disagree are how letters are smuggled (CVE-2023-51764 ff.).
const second =
  "MAIL FROM:<boss@bank.test>\r\nRCPT TO:<bob@letters.test>\r\nDATA\r\nSubject: two\r\n\r\n.\r\n";

test.each([
  ["LF.LF", "\n.\n"],
  ["LF.CRLF", "\n.\r\n"],
  ["CRLF.LF", "\r\n.\n"],
  ["CR.CR", "\r.\r"],
  ["CR.CRLF", "\r.\r\n"],
  ["CRLF.CR", "\r\n.\r"],
  ["LF.CR CRLF", "\n.\r\r\n"],
])("%s does not end a letter, so that no second one can hide behind it", async (_name, end) => {
  const { reception, kept } = await receptionWith();
  const talk = await atData(reception);
  talk.send(`Subject: one\r\n\r\ntext${end}${second}`);
  expect(await talk.hear()).toMatch(/^554 5\.6\.0/);
  expect(kept).toHaveLength(0);
  expect(await talk.ask("NOOP")).toMatch(/^250/);
});

test("a NUL before the dot does not end a letter", async () => {
  const { reception, kept } = await receptionWith();
  const talk = await atData(reception);
  talk.send(`Subject: one\r\n\r\ntext\r\n\0.\r\n${second}`);
  expect(await talk.hear()).toMatch(/^250/);
  expect(kept.map(({ raw }) => raw.includes("boss@bank.test"))).toEqual([true]);
});

test("however the bytes are cut, the end of a letter is found and nothing else is", async () => {
  const { reception, kept } = await receptionWith();
  const letter = "Subject: cut\r\n\r\n.\r\n"; // Its last line but one is the stuffed "..".
  const wire = "Subject: cut\r\n\r\n..\r\n.\r\n";
  const talk = await introduced(reception);
  for (let first = 1; first < wire.length; first++) {
    await toData(talk);
    talk.send(wire.slice(0, first));
    await new Promise((resolve) => setImmediate(resolve));
    talk.send(wire.slice(first));
    expect(await talk.hear()).toMatch(/^250/);
  }
  expect(kept.map(({ raw }) => raw.toString())).toEqual(Array(wire.length - 1).fill(letter));
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

test("when all letters together need more memory than there is, the rest is put off", async () => {
  const { reception, kept } = await receptionWith({ limits: { bytesInMemory: 70_000 } });
  const first = await atData(reception);
  first.send("x".repeat(60_000));
  const second = await atData(reception);
  await expect
    .poll(async () => {
      second.say("x".repeat(30_000), ".");
      const reply = await second.hear();
      await toData(second);
      return reply;
    }, patience)
    .toMatch(/^452/);
  first.say("", ".");
  expect(await first.hear()).toMatch(/^250/);
  second.say("x".repeat(30_000), ".");
  expect(await second.hear()).toMatch(/^250/);
  expect(kept.length).toBeGreaterThanOrEqual(2);
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
      patience,
    )
    .toMatch(/^220/);
});

test("an address that guesses mailboxes is cut off and stays out for a while", async () => {
  const { reception } = await receptionWith({ limits: { errorsPerMinute: 3 }, isTrusted: () => false });
  const talk = await introduced(reception);
  await talk.ask("MAIL FROM:<a@b.test>");
  expect(await talk.ask("RCPT TO:<a@letters.test>")).toMatch(/^550/);
  expect(await talk.ask("RCPT TO:<b@letters.test>")).toMatch(/^550/);
  talk.say("RCPT TO:<c@letters.test>");
  expect(await talk.bye()).toMatch(/^421 /);
  expect(await connectTo(reception).hear()).toMatch(/^421 /);
});

test("ten words that are no commands end the conversation, and so does a line without end", async () => {
  const { reception } = await receptionWith();
  const talk = await introduced(reception);
  talk.say(...Array<string>(10).fill("BLAH"));
  expect(await talk.bye()).toMatch(/421 .*$/);
  const long = await introduced(reception);
  long.send("A".repeat(5000));
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
  const busy = await atData(reception);
  busy.say("Subject: last");
  const stopped = reception.stop();
  expect(await idle.bye()).toMatch(/^421 /);
  busy.say("", "text", ".");
  expect(await busy.hear()).toMatch(/^250/);
  busy.say("MAIL FROM:<a@b.test>");
  expect(await busy.bye()).toMatch(/^421 /);
  await stopped;
  expect(kept).toHaveLength(1);
  await expect(connectTo(reception).hear()).rejects.toThrow("ended");
});

test("a port that is taken is a fault at once", async () => {
  const { reception } = await receptionWith();
  await expect(receptionWith({ port: reception.port })).rejects.toThrow("EADDRINUSE");
});

test("where mailboxes are is remembered for a moment, that there is none is not", async () => {
  const asked: string[] = [];
  const { reception } = await receptionWith({
    isOurs: async (address) => {
      asked.push(address);
      return address.startsWith("ann@") ? 1n : undefined;
    },
  });
  const talk = await introduced(reception);
  await talk.ask("MAIL FROM:<a@b.test>");
  for (const name of ["ann", "new", "ann", "new"]) await talk.ask(`RCPT TO:<${name}@letters.test>`);
  expect(asked).toEqual(["ann@letters.test", "new@letters.test", "new@letters.test"]);
});
