import { expect, test } from "vitest";
import { secondsAfter } from "../platform/clock.ts";
import { arrivalOf, type Bounds, boundsOf, clockOf, isDoubtful } from "./imap.arrival.ts";
import { writtenAt } from "./imap.take.ts";

const at = (seconds: number) => new Date(1_800_000_000_000 + seconds * 1_000);
const between = (lower: number | undefined, upper: number): Bounds => ({
  lower: lower === undefined ? undefined : at(lower),
  upper: at(upper),
});
const hours = 3_600;

test("a letter came after the last look without its number, and before the first one with it", () => {
  const look = (from: number, nextUid: number) => ({ from: at(from), to: at(from + 1), nextUid });
  const looks = [look(10, 5), look(20, 8), look(30, 9)];
  expect(boundsOf(4, looks, at(40))).toEqual(between(undefined, 11));
  expect(boundsOf(5, looks, at(40))).toEqual(between(10, 21));
  expect(boundsOf(8, looks, at(40))).toEqual(between(20, 31));
  expect(boundsOf(9, looks, at(40))).toEqual(between(30, 40));
});

test("within these bounds its date counts, less the host's clock", () => {
  const dated = (seconds: number) => ({ internal: at(seconds) });
  expect(arrivalOf(dated(12), between(10, 20), 0)).toEqual(at(13));
  expect(arrivalOf(dated(-3 * hours), between(10, 20), 0)).toEqual(at(10));
  expect(arrivalOf(dated(3 * hours), between(10, 20), 0)).toEqual(at(10));
  expect(arrivalOf(dated(3 * hours + 12), between(10, 20), 3 * hours * 1_000)).toEqual(at(13));
});

test("a date from the future proves nothing where no look was before: the letter's own date does, or it is old", () => {
  const future = at(3 * hours);
  expect(arrivalOf({ internal: future }, between(undefined, 20), 0)).toBeUndefined();
  expect(arrivalOf({ internal: future, written: at(5) }, between(undefined, 20), 0)).toEqual(at(5));
  expect(arrivalOf({ internal: future, written: at(2 * hours) }, between(undefined, 20), 0)).toBeUndefined();
});

test("no letter comes before it was written, but a date from the future is nobody's", () => {
  const past = at(-3 * hours);
  expect(arrivalOf({ internal: past, written: at(5) }, between(undefined, 20), 0)).toEqual(at(5));
  expect(arrivalOf({ internal: past, written: at(2 * hours) }, between(undefined, 20), 0)).toEqual(
    secondsAfter(past, 1),
  );
  expect(arrivalOf({ internal: at(-100), written: at(5) }, between(undefined, 20), 0)).toEqual(at(-99));
});

test("a letter whose date nobody can read has come now", () => {
  expect(arrivalOf({ internal: undefined }, between(undefined, 20), 0)).toEqual(at(20));
  expect(arrivalOf({ internal: undefined }, between(10, 20), 0)).toEqual(at(10));
});

test("its own date is asked for only where it may decide", () => {
  const asks = (internal: number, bounds: Bounds) => isDoubtful(at(internal), bounds, 0, at(0));
  expect(asks(-3 * hours, between(undefined, 20))).toBe(true);
  expect(asks(3 * hours, between(undefined, 20))).toBe(true);
  expect(asks(5, between(undefined, 20))).toBe(false);
  expect(asks(-30 * hours, between(undefined, 20))).toBe(false);
  expect(asks(-3 * hours, between(1, 20))).toBe(false);
  expect(asks(3 * hours, between(undefined, -1))).toBe(false);
});

test("a host's clock is learnt from letters that were seen to come, and from no others", () => {
  const learn = (dated: number, known: number, bounds: Bounds, written?: number) =>
    clockOf({ internal: at(dated), written: written === undefined ? undefined : at(written) }, bounds, known);
  expect(learn(9, 0, between(8, 10))).toBe(0);
  expect(learn(11, 0, between(8, 10))).toBe(0);
  // Five minutes ahead: no letter comes from the future.
  expect(learn(310, 0, between(undefined, 10))).toBe(300_000);
  // Five minutes behind: it came after a look without it.
  expect(learn(-291, 0, between(8, 10))).toBe(-301_000);
  // Without such a look it is an old letter.
  expect(learn(-291, 0, between(undefined, 10))).toBe(0);
  expect(learn(310, 300_000, between(8, 10))).toBe(300_000);
  // Last week's letter was moved here.
  expect(learn(-600_000, 0, between(8, 10), -600_000)).toBe(0);
  // One that was written now was not: the server is in another time zone.
  expect(learn(-3 * hours, 0, between(8, 10))).toBe(0);
  expect(learn(-3 * hours, 0, between(8, 10), 9)).toBe(-3 * hours * 1_000 - 10_000);
});

test("a letter says when it was written in its head, not in its body", () => {
  const read = (text: string) => writtenAt(Buffer.from(text));
  expect(read("Subject: x\r\nDate: Sat, 28 Nov 2026 10:00:00 +0100 (CET)\r\n\r\nx")).toEqual(
    new Date("2026-11-28T09:00:00Z"),
  );
  expect(read("Subject: x\r\n\r\nDate: Sat, 28 Nov 2026 10:00:00 +0100\r\n")).toBeUndefined();
  expect(read("Date: the other day\r\n\r\n")).toBeUndefined();
  expect(writtenAt(undefined)).toBeUndefined();
});
