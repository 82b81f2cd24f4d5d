import { TOTP } from "otpauth";
import { expect, onTestFinished, test } from "vitest";
import { sayTo } from "../../../test/kit/command.ts";
import { createDatabase } from "../../../test/kit/database.ts";
import { now } from "../platform/clock.ts";
import { readConfig, resolveSecret } from "../platform/config/config.ts";
import { createSeal } from "../platform/seal.ts";
import { addActive, openUsers } from "../users/users.ts";

const settings = { SECRET_KEY: "a1f09c3e5b7d2846a1f09c3e5b7d2846" };

test("the operator takes the second factors of an account away, with a reason; without one, or without factors, nothing happens", async () => {
  const { db, drop } = await createDatabase();
  onTestFinished(drop);
  const seal = createSeal(resolveSecret(readConfig(settings)));
  const email = "nora@example.com";
  const userId = await addActive(db, seal, { email, password: "correct horse", language: "en" }, now());
  const users = await openUsers({ db, seal, adminEmails: new Set() });
  onTestFinished(() => users.close());
  const { secret, ticket } = await users.factors.beginApp(userId, now());
  const code = new TOTP({ secret }).generate({ timestamp: now().getTime() });
  await users.factors.addApp({ userId, name: "Phone", ticket, code }, now());
  const say = (...words: string[]) => sayTo(db, ["users", "factor", "reset", ...words], settings);

  expect(await say(email)).toMatchObject({ status: 2, err: expect.stringContaining("--reason") });
  expect(await users.factors.has(userId)).toBe(true);
  expect(await say("nobody@example.com", "--reason", "he wrote")).toMatchObject({ status: 1 });
  expect(await say(email, "--reason", "he wrote to us")).toMatchObject({
    status: 0,
    out: expect.stringContaining("Removed factors: 1."),
  });
  expect(await users.factors.has(userId)).toBe(false);
  expect(await db`select by, did, reason from audit_log`).toMatchObject([
    { by: "operator", did: "users factor reset", reason: "he wrote to us" },
  ]);
  expect(await say(email, "--reason", "once more")).toMatchObject({
    status: 1,
    err: expect.stringContaining("no second factor"),
  });
  const help = await sayTo(db, ["users", "--help"]);
  expect(help.out).toContain("factor");
});
