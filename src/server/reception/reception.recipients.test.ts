import { afterEach, expect, test } from "vitest";
import type { Talk } from "../../../test/kit/talk.ts";
import { closeReceptions, introduced, receptionWith } from "../../../test/kit/reception.ts";

afterEach(closeReceptions);

test("an unknown recipient is refused when it is named, and nothing is relayed", async () => {
  const { reception } = await receptionWith();
  const talk = await introduced(reception);
  await talk.ask("MAIL FROM:<a@b.test>");
  expect(await talk.ask("RCPT TO:<nobody@letters.test>")).toMatch(/^550 5\.1\.1 /);
  expect(await talk.ask("RCPT TO:<ann@elsewhere.test>")).toMatch(/^550 5\.7\.1 Relaying denied/);
  expect(await talk.ask("RCPT TO:<ann%elsewhere.test@letters.test>")).toMatch(/^550 5\.1\.1 /);
  expect(await talk.ask("RCPT TO:<ann@[127.0.0.1]>")).toMatch(/^550 5\.7\.1 /);
  expect(await talk.ask("RCPT TO:<postmaster@elsewhere.test>")).toMatch(/^550 5\.7\.1 /);
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

test("an address with a tag, in quotation marks or with a dot at the end of its domain is the mailbox's", async () => {
  const asked: string[] = [];
  const { reception, kept } = await receptionWith({
    isOurs: async (address) => {
      asked.push(address);
      return new Map([
        ["ann@letters.test", 1n],
        ["bob+work@letters.test", 2n],
      ]).get(address);
    },
  });
  const talk = await introduced(reception);
  await talk.ask("MAIL FROM:<a.@b.test>");
  for (const name of [
    "ann+discord@letters.test",
    '"ann"@letters.test',
    '"a\\nn"@letters.test',
    "ann@letters.test.",
  ])
    expect(await talk.ask(`RCPT TO:<${name}>`)).toMatch(/^250 /);
  // A mailbox whose own name has a plus sign gets its letters.
  expect(await talk.ask("RCPT TO:<bob+work@letters.test>")).toMatch(/^250 /);
  for (const name of [
    "+ann@letters.test",
    "bob+home@letters.test",
    "an+n@letters.test",
    "ann@letters.test..",
  ])
    expect(await talk.ask(`RCPT TO:<${name}>`)).toMatch(/^550 /);
  await talk.ask("DATA");
  talk.say("", ".");
  expect(await talk.hear()).toMatch(/^250 /);
  expect(kept).toMatchObject([{ mailboxIds: [1n, 2n] }]);
});

test("a name in quotation marks may have blanks and signs, in a tag and in a sender", async () => {
  const { reception, kept } = await receptionWith();
  const talk = await introduced(reception);
  expect(await talk.ask('MAIL FROM:<@relay.test:"Bo \\"B\\" <b@c>"@b.test> SIZE=10')).toMatch(/^250 /);
  for (const name of ["ann+a b", "ann+a@b", "ann+<a>", 'ann+\\"a\\\\\\ b', "a\\nn"])
    expect(await talk.ask(`RCPT TO:<"${name}"@letters.test>`)).toMatch(/^250 /);
  for (const name of ["a nn", "ann@letters.test", "an\\\\n", "<ann>"])
    expect(await talk.ask(`RCPT TO:<"${name}"@letters.test>`)).toMatch(/^550 /);
  expect(await talk.ask('RCPT TO:<"ann@elsewhere.test"@elsewhere.test>')).toMatch(/^550 5\.7\.1 /);
  for (const name of ['"ann', '"ann+a" b', '"ann"b"', '"ann+\\"', '"ann+\ta"'])
    expect(await talk.ask(`RCPT TO:<${name}@letters.test>`)).toMatch(/^5(01|50) /);
  await talk.ask("DATA");
  talk.say("", ".");
  expect(await talk.hear()).toMatch(/^250 /);
  expect(kept).toMatchObject([{ mailboxIds: [1n], mailFrom: '"Bo \\"B\\" <b@c>"@b.test' }]);
});

test.each(["ü@b.test", "a@bücher.test"])(
  "the sender %s is taken from a client that says SMTPUTF8 alone",
  async (sender) => {
    const { reception } = await receptionWith();
    const talk = await introduced(reception);
    expect(await talk.ask(`MAIL FROM:<${sender}>`)).toMatch(/^553 5\.6\.7 /);
    expect(await talk.ask("RCPT TO:<ann@letters.test>")).toMatch(/^503 /);
    expect(await talk.ask(`MAIL FROM:<${sender}> SMTPUTF8`)).toMatch(/^250 /);
    await talk.ask("RSET");
    expect(await talk.ask("MAIL FROM:<a@xn--bcher-kva.test>")).toMatch(/^250 /);
  },
);

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

async function tell(talk: Talk, recipient: string, text = "x"): Promise<string> {
  await talk.ask("RSET");
  await talk.ask("MAIL FROM:<reporter@b.test>");
  const reply = await talk.ask(`RCPT TO:<${recipient}>`);
  if (!reply.startsWith("250")) return reply;
  await talk.ask("DATA");
  talk.say(text, ".");
  return talk.hear();
}

test.each([
  "postmaster",
  "PostMaster",
  "postmaster@letters.test",
  "Abuse@LETTERS.test",
  "abuse@bücher.test",
  "postmaster@mx.letters.test",
])("%s is heard by who runs the shop", async (recipient) => {
  const { reception, kept } = await receptionWith();
  expect(await tell(await introduced(reception), recipient)).toMatch(/^250/);
  expect(kept[0]).toMatchObject({ isToPostmaster: true, mailboxIds: [] });
});

test("a letter may be for a mailbox and the postmaster; other letters are not for the postmaster", async () => {
  const { reception, kept } = await receptionWith();
  const talk = await introduced(reception);
  await talk.ask("MAIL FROM:<a@b.test>");
  for (const name of ["ann", "abuse"]) await talk.ask(`RCPT TO:<${name}@letters.test>`);
  await talk.ask("DATA");
  talk.say("x", ".");
  await talk.hear();
  await tell(talk, "ann@letters.test");
  expect(kept).toMatchObject([
    { isToPostmaster: true, mailboxIds: [1n] },
    { isToPostmaster: false, mailboxIds: [1n] },
  ]);
});

test("nobody fills the disk by telling the postmaster: an address, all together, and each letter have their measure", async () => {
  const limits = { postmasterPerAddress: 1, postmasterPerHour: 2, postmasterBytes: 1000 };
  let isTrusted = false;
  const { reception, kept } = await receptionWith({ limits, isTrusted: () => isTrusted });
  const talk = await introduced(reception);
  expect(await tell(talk, "postmaster", "x".repeat(1000))).toMatch(/^552 5\.3\.4 .*postmaster/);
  await talk.ask("MAIL FROM:<a@b.test>");
  for (const name of ["ann", "abuse"]) await talk.ask(`RCPT TO:<${name}@letters.test>`);
  await talk.ask("DATA");
  talk.say("x".repeat(1000), ".");
  expect(await talk.hear()).toMatch(/^552 5\.3\.4 .*postmaster/);
  expect(await tell(talk, "abuse@letters.test")).toMatch(/^250/);
  expect(await tell(talk, "abuse@letters.test")).toMatch(/^450 4\.7\.1/);
  expect(await tell(talk, "ann@letters.test", "x".repeat(2000))).toMatch(/^250/);
  isTrusted = true;
  expect(await tell(talk, "postmaster")).toMatch(/^250/);
  expect(await tell(talk, "postmaster")).toMatch(/^450 4\.7\.1/);
  expect(kept).toHaveLength(3);
});

test("naming the postmaster without sending uses nothing of the hourly limit", async () => {
  const limits = { postmasterPerAddress: 1, postmasterPerHour: 1 };
  const { reception, kept } = await receptionWith({ limits, isTrusted: () => false });
  const talk = await introduced(reception);
  for (let named = 0; named < 3; named++) {
    await talk.ask("RSET");
    await talk.ask("MAIL FROM:<a@b.test>");
    for (const name of ["postmaster", "abuse"])
      expect(await talk.ask(`RCPT TO:<${name}@letters.test>`)).toMatch(/^250/);
  }
  await talk.ask("DATA");
  talk.say("one letter to both", ".");
  expect(await talk.hear()).toMatch(/^250/);
  expect(await tell(talk, "abuse@letters.test")).toMatch(/^450 4\.7\.1/);
  expect(kept).toHaveLength(1);
});

test("two letters that were begun at once are not both taken for the last one of the hour", async () => {
  const limits = { postmasterPerAddress: 1 };
  const { reception, kept } = await receptionWith({ limits, isTrusted: () => false });
  const talks = [await introduced(reception), await introduced(reception)];
  for (const talk of talks) {
    await talk.ask("MAIL FROM:<a@b.test>");
    expect(await talk.ask("RCPT TO:<postmaster@letters.test>")).toMatch(/^250/);
    expect(await talk.ask("DATA")).toMatch(/^354/);
  }
  const replies = [];
  for (const talk of talks) {
    talk.say("x", ".");
    replies.push((await talk.hear()).slice(0, 9));
  }
  expect(replies.map((reply) => reply.slice(0, 3))).toEqual(["250", "450"]);
  expect(kept).toHaveLength(1);
});

test("what is not offered cannot be asked for", async () => {
  const { reception } = await receptionWith();
  const talk = await introduced(reception);
  for (const parameter of ["RET=FULL", "ENVID=1", "AUTH=<>", "BODY=BINARYMIME", "REQUIRETLS", "HOLDFOR=60"])
    expect(await talk.ask(`MAIL FROM:<a@b.test> ${parameter}`)).toMatch(/^5(01|30|55) 5\./);
  expect(await talk.ask("MAIL FROM:<a@b.test> SIZE=10 BODY=8BITMIME SMTPUTF8")).toMatch(/^250/);
  expect(await talk.ask("RCPT TO:<ann@letters.test> NOTIFY=SUCCESS")).toMatch(/^555 5\.5\.4/);
  expect(await talk.ask("RCPT TO:<ann@letters.test>")).toMatch(/^250/);
});
