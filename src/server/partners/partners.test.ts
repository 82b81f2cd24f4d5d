import { beforeAll, expect, test } from "vitest";
import { referralWordsMax } from "../../contract/limits.ts";
import { createDatabase } from "../../../test/kit/database.ts";
import { buyer } from "../../../test/kit/shelf.ts";
import { secondsAfter } from "../platform/clock.ts";
import type { Db } from "../platform/db/db.ts";
import { openPartners, type Partners } from "./partners.ts";

let db: Db;
let partners: Partners;

beforeAll(async () => {
  ({ db } = await createDatabase());
  partners = openPartners({ db, publicUrl: "https://shop.example" });
});

const at = new Date("2026-11-22T12:00:00Z");
const choose = (userId: bigint, word: string, seconds = 0) =>
  partners.chooseWord(userId, word, secondsAfter(at, seconds));

test("a word is whose it is whatever its capitals", async () => {
  const [one, other] = [await buyer(db), await buyer(db)];
  expect(await choose(one, "Nora_K-1")).toEqual({
    word: "Nora_K-1",
    link: "https://shop.example/?ref=Nora_K-1",
  });
  expect(await choose(other, "nora_k-1")).toBe("word taken");
  expect(await partners.referrerOf("NORA_K-1")).toBe(one);
  expect(await partners.referrerOf("nora")).toBeUndefined();
});

test("a word that was given up for another goes on working, and is nobody else's", async () => {
  const [one, other] = [await buyer(db), await buyer(db)];
  await choose(one, "printed");
  await choose(one, "modern", 1);
  expect(await choose(other, "Printed", 2)).toBe("word taken");
  expect(await partners.referrerOf("printed")).toBe(one);
  expect((await partners.shown(one)).referrals.word).toBe("modern");
  await choose(one, "PRINTED", 3);
  expect((await partners.shown(one)).referrals.word).toBe("PRINTED");
});

test("the number of words is limited, but a partner may go back to an earlier one", async () => {
  const userId = await buyer(db);
  for (let n = 0; n < referralWordsMax; n++) await choose(userId, `word-${n}`, n);
  expect(await choose(userId, "one-more", 100)).toBe("too many words");
  expect(await partners.referrerOf("one-more")).toBeUndefined();
  expect(await choose(userId, "word-3", 101)).toMatchObject({ word: "word-3" });
});

test("of two who want a word at once one gets it", async () => {
  const wanting = await Promise.all(Array.from({ length: 8 }, () => buyer(db)));
  const answers = await Promise.all(wanting.map((userId, n) => choose(userId, n % 2 ? "rare" : "RARE")));
  const owner = await partners.referrerOf("rare");
  expect(answers.filter((answer) => answer === "word taken")).toHaveLength(7);
  expect(wanting[answers.findIndex((answer) => answer !== "word taken")]).toBe(owner);
});

test("under the word of a blocked account nobody is brought", async () => {
  const userId = await buyer(db);
  await choose(userId, "gone");
  await db`update users set blocked_at = now() where id = ${userId}`;
  expect(await partners.referrerOf("gone")).toBeUndefined();
});
