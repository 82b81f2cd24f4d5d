import fc from "fast-check";
import { afterEach, expect, test } from "vitest";
import { atData, closeReceptions, introduced, receptionWith, toData } from "../../../test/kit/reception.ts";
import { clockOfThread } from "../../../test/kit/thread.ts";
import { hasBareNewline } from "./reception.newlines.ts";

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
  expect(await talk.hear()).toMatch(/^554 5\.6\.0/);
  expect(kept).toHaveLength(0);
  expect(await talk.ask("NOOP")).toMatch(/^250/);
});

test.each([
  ["before the dot", "\r\n\0.\r\n"],
  ["behind the dot", "\r\n.\0\r\n"],
  ["between CR and LF of the last line", "\r\n.\r\0\n", "554"],
  ["before the first LF", "\r\0\n.\r\n", "554"],
])("a NUL %s does not end a letter", async (_where, end, reply = "250") => {
  const { reception, kept } = await receptionWith();
  const talk = await atData(reception);
  talk.send(`Subject: one\r\n\r\ntext${end}${second}`);
  expect(await talk.hear()).toMatch(new RegExp(`^${reply}`));
  expect(kept.map(({ raw }) => raw.includes("boss@bank.test"))).toEqual(reply === "250" ? [true] : []);
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

test("a bare CR or LF is found wherever it stands, and nothing else is taken for one", () => {
  // The definition, too slow for the server.
  const plain = (text: string) => /\r(?!\n)|(?<!\r)\n/.test(text);
  const parts = fc.constantFrom("\r\n", "\r", "\n", ".", "a", "\0", "a line of some length\r\n", "é\r\n");
  fc.assert(
    fc.property(fc.array(parts), (chosen) => {
      const text = chosen.join("");
      expect(hasBareNewline(Buffer.from(text))).toBe(plain(text));
    }),
    { numRuns: 2_000 },
  );
});

test("a letter of nothing but ends of line holds nobody up", () => {
  const raw = Buffer.from("\r\n".repeat(5_000_000));
  const spent = clockOfThread();
  expect(hasBareNewline(raw)).toBe(false);
  // A search for each of them would take more than a second.
  expect(spent()).toBeLessThan(500);
});
