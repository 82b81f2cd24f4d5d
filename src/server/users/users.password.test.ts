import { argon2Sync } from "node:crypto";
import { expect, test } from "vitest";
import { BatcherFull } from "../platform/db/batcher.ts";
import { hashPassword, isPassword } from "./users.password.ts";

test("a password is recognised, and another one is not", async () => {
  const stored = await hashPassword("correct horse");
  expect(await isPassword("correct horse", stored)).toBe(true);
  expect(await isPassword("correct horsf", stored)).toBe(false);
  expect(await isPassword("correct horse", undefined)).toBe(false);
});

test("what is stored is argon2id with the parameters of OWASP, never twice the same", async () => {
  const [one, two] = await Promise.all([hashPassword("same"), hashPassword("same")]);
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  expect(one).not.toBe(two);
});

test("a hash that was made with other parameters still opens", async () => {
  const nonce = Buffer.from("0123456789abcdef");
  const tag = argon2Sync("argon2id", {
    message: "old",
    nonce,
    memory: 64,
    passes: 3,
    parallelism: 2,
    tagLength: 16,
  });
  const bare = (bytes: Buffer) => bytes.toString("base64").replaceAll("=", "");
  const stored = `$argon2id$v=19$m=64,t=3,p=2$${bare(nonce)}$${bare(tag)}`;
  expect(await isPassword("old", stored)).toBe(true);
  expect(await isPassword("new", stored)).toBe(false);
});

test("what is no hash is a fault, not a wrong password", async () => {
  await expect(isPassword("any", "none")).rejects.toThrow("none of ours");
});

test("a flood of log-ins is turned away instead of taking all memory", async () => {
  const cheap = `$argon2id$v=19$m=8,t=1,p=1$${"A".repeat(22)}$${"A".repeat(43)}`;
  const asked = await Promise.allSettled(Array.from({ length: 1_500 }, () => isPassword("x", cheap)));
  const turnedAway = asked.filter((each) => each.status === "rejected");
  expect(turnedAway.length).toBeGreaterThan(400);
  expect(turnedAway.every((each) => each.reason instanceof BatcherFull)).toBe(true);
  expect(asked.filter((each) => each.status === "fulfilled").length).toBeGreaterThanOrEqual(1_000);
});
