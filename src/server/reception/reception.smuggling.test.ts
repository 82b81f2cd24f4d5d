import fc from "fast-check";
import { afterEach, expect, test } from "vitest";
import { atData, closeReceptions, introduced, receptionWith, toData } from "../../../test/kit/reception.ts";
import { clockOfThread } from "../../../test/kit/thread.ts";
import { withLineEnds } from "./reception.newlines.ts";

afterEach(closeReceptions);

// A letter ends with CRLF.CRLF and nothing else; servers that disagree allow SMTP smuggling (CVE-2023-51764).
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
  expect(await talk.hear()).toMatch(/^250/);
  expect(kept.map(({ raw, mailboxIds }) => [raw.includes("boss@bank.test"), mailboxIds])).toEqual([
    [true, [1n]],
  ]);
  expect(await talk.ask("NOOP")).toMatch(/^250/);
});

test("a letter whose lines end with LF alone is taken, and each of them ends with CRLF", async () => {
  const { reception, kept } = await receptionWith();
  const talk = await atData(reception);
  talk.send("From: a@b.test\nSubject: one\n\nline\r\n..\nlast\rline\n\r\n.\r\n");
  expect(await talk.hear()).toMatch(/^250/);
  expect(kept.map(({ raw }) => raw.toString())).toEqual([
    "From: a@b.test\r\nSubject: one\r\n\r\nline\r\n.\r\nlast\rline\r\n\r\n",
  ]);
});

test("a letter that only whole line ends make too large is refused as any that is", async () => {
  const { reception, kept } = await receptionWith({ limits: { sizeBytes: 1_000 } });
  const talk = await atData(reception);
  talk.send(`${"\n".repeat(900)}\r\n.\r\n`);
  expect(await talk.hear()).toMatch(/^552 5\.3\.4/);
  expect(kept).toEqual([]);
});

test.each([
  ["before the dot", "\r\n\0.\r\n"],
  ["behind the dot", "\r\n.\0\r\n"],
  ["between CR and LF of the last line", "\r\n.\r\0\n"],
  ["before the first LF", "\r\0\n.\r\n"],
])("a NUL %s does not end a letter", async (_where, end) => {
  const { reception, kept } = await receptionWith();
  const talk = await atData(reception);
  talk.send(`Subject: one\r\n\r\ntext${end}${second}`);
  expect(await talk.hear()).toMatch(/^250/);
  expect(kept.map(({ raw }) => raw.includes("boss@bank.test"))).toEqual([true]);
  expect(await talk.ask("NOOP")).toMatch(/^250/);
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

test("every LF has its CR, and nothing else is changed", () => {
  // The definition, too slow for the server.
  const plain = (text: string) => text.replaceAll(/(?<!\r)\n/g, "\r\n");
  const parts = fc.constantFrom("\r\n", "\r", "\n", ".", "a", "\0", "a line of some length\r\n", "é\r\n");
  fc.assert(
    fc.property(fc.array(parts), (chosen) => {
      const text = chosen.join("");
      expect(withLineEnds(Buffer.from(text)).toString()).toBe(plain(text));
    }),
    { numRuns: 2_000 },
  );
});

test.each(["\r\n", "\n"])("a letter of nothing but the ends of line %j holds nobody up", (end) => {
  const raw = Buffer.from(end.repeat(5_000_000));
  const spent = clockOfThread();
  expect(withLineEnds(raw).length).toBe(10_000_000);
  // A search for each of them would take more than a second.
  expect(spent()).toBeLessThan(500);
});
