import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type Challenge, solveChallenge } from "altcha-lib";
import { deriveKey } from "altcha-lib/algorithms/pbkdf2";
import { beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { createDatabase, withOwnClock } from "../../../../test/kit/database.ts";
import { type Captcha, forgetUsed, openCaptcha } from "./captcha.ts";
import { now, secondsAfter } from "../clock.ts";
import type { Db } from "../db/db.ts";
import { createSeal } from "../seal.ts";

let db: Db;
let url: string;
beforeAll(async () => {
  ({ db, url } = await createDatabase());
});

const here = "127.0.0.1";
const altchaOn = (base: Db, secret = 3) =>
  openCaptcha({
    setting: { kind: "altcha" },
    seal: createSeal(Buffer.alloc(32, secret)),
    db: base,
    cost: 20,
  });
const altcha = (secret?: number) => altchaOn(db, secret);

async function solved(captcha: Captcha, change: (solved: Solved) => void = () => {}): Promise<string> {
  const challenge = (await captcha.challenge()) as Challenge;
  const solution = await solveChallenge({ challenge, deriveKey });
  if (!solution) throw new Error("the challenge was not solved");
  const both = { challenge, solution };
  change(both);
  return Buffer.from(JSON.stringify(both)).toString("base64");
}
type Solved = { challenge: Challenge; solution: { counter: number; derivedKey: string } };

describe("the proof of work", () => {
  test("a solved challenge opens one door, once, in whichever process it is shown", async () => {
    const payload = await solved(altcha());
    const shown = await Promise.all(Array.from({ length: 8 }, () => altcha().verify(payload, here)));
    expect(shown.filter(Boolean)).toHaveLength(1);
    expect(await altcha().verify(payload, here)).toBe(false);
  });

  test("a challenge of another shop is worth nothing here", async () => {
    expect(await altcha().verify(await solved(altcha(4)), here)).toBe(false);
  });

  test("while the key of the shop changes, a challenge by either key opens one door, once", async () => {
    const both = (secret: number, before: number) =>
      openCaptcha({
        setting: { kind: "altcha" },
        seal: createSeal(Buffer.alloc(32, secret), Buffer.alloc(32, before)),
        db,
        cost: 20,
      });
    for (const maker of [altcha(3), altcha(5)]) {
      const payload = await solved(maker);
      const shown = await Promise.all(
        [both(5, 3), both(3, 5), both(5, 3)].map((captcha) => captcha.verify(payload, here)),
      );
      expect(shown.filter(Boolean)).toHaveLength(1);
    }
  });

  test("nobody makes a challenge easier, lets it live longer, or guesses the solution", async () => {
    const easier = await solved(altcha(), ({ challenge }) => (challenge.parameters.keyPrefix = "00"));
    const longer = await solved(
      altcha(),
      ({ challenge }) => (challenge.parameters.expiresAt = 4_000_000_000),
    );
    const guessed = await solved(altcha(), ({ solution }) => (solution.derivedKey = "ab".repeat(32)));
    for (const payload of [easier, longer, guessed]) expect(await altcha().verify(payload, here)).toBe(false);
  });

  test.each(["", "off", "{}", "bnVsbA==", Buffer.from('{"challenge":{"parameters":{}}}').toString("base64")])(
    "what is no solution is refused: %j",
    async (payload) => expect(await altcha().verify(payload, here)).toBe(false),
  );

  test("a solution that comes after ten minutes is too late", async () => {
    const { db: before, set } = await withOwnClock({ db, url });
    await set(secondsAfter(now(), -601));
    const payload = await solved(altchaOn(before));
    expect(await altchaOn(before).verify(payload, here)).toBe(true);
    expect(await altcha().verify(await solved(altchaOn(before)), here)).toBe(false);
  });

  test.each([-601, 601])(
    "a process whose clock is off by %i s agrees with the others on how long a challenge lives",
    async (seconds) => {
      const theirs = await solved(altcha());
      vi.useFakeTimers({ toFake: ["Date"], now: secondsAfter(now(), seconds) });
      onTestFinished(() => void vi.useRealTimers());
      expect(await altcha().verify(theirs, here)).toBe(true);
      const ours = await solved(altcha());
      vi.useRealTimers();
      expect(await altcha().verify(ours, here)).toBe(true);
    },
  );

  test("a challenge lives for ten minutes, and its mark is deleted after them", async () => {
    const challenge = (await altcha().challenge()) as Challenge;
    const left = challenge.parameters.expiresAt! - now().getTime() / 1000;
    expect(left).toBeGreaterThan(595);
    expect(left).toBeLessThanOrEqual(600);
    await altcha().verify(await solved(altcha()), here);
    await forgetUsed(db, now());
    expect((await db`select 1 from captcha_used`).count).toBeGreaterThan(0);
    expect(await forgetUsed(db, secondsAfter(now(), 601))).toBeGreaterThan(0);
    expect((await db`select 1 from captcha_used`).count).toBe(0);
  });
});

async function siteverify(answer: (form: URLSearchParams) => object | undefined) {
  const asked: Record<string, string>[] = [];
  const server: Server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      const form = new URLSearchParams(body);
      asked.push(Object.fromEntries(form));
      const told = answer(form);
      response.writeHead(told ? 200 : 500, { "content-type": "application/json" });
      response.end(JSON.stringify(told ?? {}));
    });
  });
  await new Promise<void>((up) => server.listen(0, here, up));
  const close = () =>
    new Promise<void>((down) => {
      server.closeAllConnections();
      server.close(() => down());
    });
  onTestFinished(close);
  return { asked, close, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/siteverify` };
}

const kinds = ["recaptcha", "turnstile", "hcaptcha"] as const;
const of = (kind: (typeof kinds)[number], verifyUrl: string) =>
  openCaptcha({
    setting: { kind, siteKey: "site", secret: "s3cret", verifyUrl },
    seal: createSeal(Buffer.alloc(32, 3)),
    db,
  });

describe.each(kinds)("%s", (kind) => {
  test("is asked with secret, response and address, and its verdict stands", async () => {
    const { url, asked } = await siteverify((form) => ({ success: form.get("response") === "good" }));
    const captcha = of(kind, url);
    expect(captcha).toMatchObject({ kind, siteKey: "site" });
    expect(captcha.challenge()).toBeUndefined();
    expect(await captcha.verify("good", "192.0.2.1")).toBe(true);
    expect(await captcha.verify("bad", "192.0.2.1")).toBe(false);
    expect(asked[0]).toEqual({ secret: "s3cret", response: "good", remoteip: "192.0.2.1" });
  });

  test("a service that fails, is away, or knows no such secret is a fault, not a no", async () => {
    const failing = await siteverify(() => undefined);
    await expect(of(kind, failing.url).verify("good", here)).rejects.toThrow(/could not be asked/);
    const wrong = await siteverify(() => ({ success: false, "error-codes": ["invalid-input-secret"] }));
    await expect(of(kind, wrong.url).verify("good", here)).rejects.toThrow(/CAPTCHA_SECRET/);
    await failing.close();
    await expect(of(kind, failing.url).verify("good", here)).rejects.toThrow(/could not be asked/);
  });
});

test("a visitor whom reCAPTCHA 3 takes for a program is refused", async () => {
  const { url } = await siteverify((form) => ({ success: true, score: Number(form.get("response")) }));
  expect(await of("recaptcha", url).verify("0.9", here)).toBe(true);
  expect(await of("recaptcha", url).verify("0.1", here)).toBe(false);
});

test("switched off it takes anything but nothing", async () => {
  const off = openCaptcha({ setting: { kind: "off" }, seal: createSeal(Buffer.alloc(32, 3)), db });
  expect(off.challenge()).toBeUndefined();
  expect([await off.verify("x", here), await off.verify("", here)]).toEqual([true, false]);
});
