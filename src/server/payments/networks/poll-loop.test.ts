import fc from "fast-check";
import { expect, test } from "vitest";
import { isDue, nextPart, read, show, unread } from "./poll-loop.ts";

const everySeconds = 300;

const poll = fc.record({
  seconds: fc.integer({ min: 1, max: 200 }),
  comes: fc.array(fc.stringMatching(/^[0-9a-f]{1,3}$/), { maxLength: 40 }),
  quiet: fc.double({ min: 0, max: 1, noNaN: true }),
});

test("every address is read over its whole time, wherever a round stands when it comes and when it grows quiet", () => {
  fc.assert(
    fc.property(fc.array(poll, { minLength: 30, maxLength: 80 }), (polls) => {
      let at = 1000;
      let progress = unread;
      const [open, all] = [new Set<string>(), new Set<string>()];
      // Up to when each address was read without a gap.
      const readTo = new Map<string, number>();
      const gaps: string[] = [];
      const note = (addresses: Iterable<string>, since: number) => {
        for (const address of addresses) {
          const before = readTo.get(address) ?? Number.NaN;
          if (!(since <= before)) gaps.push(`${address} was read to ${before} and then from ${since} on`);
          readTo.set(address, at);
        }
      };
      for (const { seconds, comes, quiet } of polls) {
        at += seconds;
        progress = read(show(progress));
        // An address is issued after the last poll.
        for (const address of comes.filter((one) => !all.has(one))) {
          all.add(address);
          open.add(address);
          readTo.set(address, progress.open);
        }
        note(open, progress.open);
        progress = { ...progress, open: at };
        for (const address of [...open].slice(0, Math.floor(open.size * quiet))) open.delete(address);
        if (!isDue(progress.month, everySeconds, at)) continue;
        const part = nextPart(progress.month, at, all);
        expect(part.addresses.length).toBeLessThanOrEqual(50);
        note(part.addresses, part.since);
        progress = { ...progress, month: part.round };
      }
      expect(gaps).toEqual([]);
    }),
    { numRuns: 60 },
  );
});

test("a round of ten thousand addresses takes two hundred parts, and the next one waits for its time", () => {
  const all = new Set(
    Array.from({ length: 10_000 }, (_, number) => `0:${number.toString(16).padStart(64, "0")}`),
  );
  let { month } = unread;
  const seen: string[] = [];
  let [parts, at] = [0, everySeconds];
  do {
    const part = nextPart(month, at, all);
    expect(part.since).toBe(0);
    seen.push(...part.addresses);
    month = part.round;
    [parts, at] = [parts + 1, at + 5];
  } while (month.after !== null);
  expect([parts, seen.length, new Set(seen).size]).toEqual([200, 10_000, 10_000]);
  expect(isDue(month, everySeconds, everySeconds + 1)).toBe(false);
  expect(nextPart(month, 5000, all).since).toBe(everySeconds);
});

test("a cursor that is none of ours stops the reading", () => {
  expect(() => read("1000")).toThrow();
  expect(() => read('{"open":1}')).toThrow();
});
