// @module-tag slow
import { expect, test } from "vitest";
import { call, db, logIn, member, seal, useAccounts } from "../../../../test/kit/accounts.ts";
import { addPasskey, enter, mailsTo, opens, options, withPasskey } from "../../../../test/kit/factors.ts";
import { Passkey } from "../../../../test/kit/passkey.ts";
import * as contract from "../../../contract/account/factors.ts";
import { now } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import { openUsers } from "../users.ts";
import type { AskedOptions } from "./factors.passkeys.ts";

useAccounts();

test("a passkey signs in without a password, and after the password", async () => {
  const { email, key } = await withPasskey();
  const alone = options(await call(contract.askPasskey, {}));
  expect(alone).toMatchObject({ rpId: "localhost", userVerification: "required", allowCredentials: [] });
  const entered = await enter({ passkey: key.used(alone) });
  expect(entered).toMatchObject({ status: "success" });
  expect(await opens(String(entered.data["token"]))).toBe(true);

  const refused = await logIn(email);
  expect(refused).toMatchObject({ value: "second factor", kinds: ["passkey", "recovery"] });
  const asked = refused["passkey"] as { challenge: string };
  expect(asked).toMatchObject({ allowCredentials: [{ id: key.id }] });
  expect(await enter({ passkey: key.used({ ...asked, knows: false }) })).toMatchObject({ status: "success" });
});

test("an answer of a passkey opens once, and none with an old counter, of another page, for another challenge or without its person", async () => {
  const { key } = await withPasskey();
  const ask = async () => options(await call(contract.askPasskey, {}));
  const passkey = key.used(await ask());
  expect(await enter({ passkey })).toMatchObject({ status: "success" });
  expect(await enter({ passkey })).toMatchObject({ value: "ticket" });
  const refused = { value: "invalid passkey" };
  expect(
    await enter({ passkey: key.used({ ...(await ask()), origin: "http://localhost.evil" }) }),
  ).toMatchObject(refused);
  expect(await enter({ passkey: key.used({ ...(await ask()), host: "elsewhere" }) })).toMatchObject(refused);
  expect(await enter({ passkey: key.used({ ...(await ask()), knows: false }) })).toMatchObject(refused);
  expect(await enter({ passkey: key.used({ challenge: "A".repeat(43) }) })).toMatchObject({
    value: "ticket",
  });
  expect(
    await enter({ passkey: JSON.stringify({ id: key.id, response: { clientDataJSON: "e30" } }) }),
  ).toMatchObject({ value: "ticket" });
  key.counter = 0;
  expect(await enter({ passkey: key.used(await ask()) })).toMatchObject(refused);
  key.counter = 50;
  expect(await enter({ passkey: key.used(await ask()) })).toMatchObject({ status: "success" });
});

test("a passkey of another account is refused, in the sign-in and when it is added", async () => {
  const [mine, others] = [await withPasskey(), await withPasskey()];
  const ways = await logIn(mine.email);
  const challenge = String(ways["ticket"]);
  expect(await enter({ passkey: others.key.used({ challenge }) })).toMatchObject({
    value: "invalid passkey",
  });
  expect(await enter({ passkey: mine.key.used({ challenge }) })).toMatchObject({ status: "success" });
  expect((await addPasskey(mine.token, others.key)).added).toMatchObject({ value: "too many" });
  const { answer } = await addPasskey(others.token);
  expect(await call(contract.addPasskey, { ...answer, token: mine.token })).toMatchObject({
    value: "invalid passkey",
  });
  const used = await addPasskey(mine.token);
  expect(await call(contract.addPasskey, used.answer)).toMatchObject({ value: "invalid passkey" });
  const foreign = options(await call(contract.beginPasskey, { token: mine.token }));
  const passkey = new Passkey().made({ challenge: foreign.challenge, origin: "https://evil.example" });
  expect(await call(contract.addPasskey, { token: mine.token, name: "x", passkey })).toMatchObject({
    value: "invalid passkey",
  });
});

test("an account has several passkeys with a name and a last use; with the last factor its recovery codes end", async () => {
  const { email, token, key } = await withPasskey();
  const second = await addPasskey(token, new Passkey(), "Key ring");
  expect(second.added).not.toHaveProperty("recovery_codes");
  expect(second.begun).toMatchObject({ excludeCredentials: [{ id: key.id }] });
  const listed = async () =>
    (await call(contract.factors, { token })) as unknown as {
      data: { id: string; name: string; used_at?: number }[];
      recovery_left: number;
    };
  await enter({ passkey: second.key.used(options(await call(contract.askPasskey, {}))) });
  const { data, recovery_left: left } = await listed();
  expect(data.map(({ name, used_at: used }) => [name, used !== undefined])).toEqual([
    ["Laptop", false],
    ["Key ring", true],
  ]);
  expect(left).toBe(10);
  const stranger = (await member()).token;
  const [laptop, ring] = data.map(({ id }) => id);
  expect(await call(contract.removeFactor, { token: stranger, id: ring ?? "" })).toMatchObject({
    value: "no factor",
  });
  expect(await call(contract.removeFactor, { token, id: ring ?? "" })).toMatchObject({ status: "success" });
  expect(
    await enter({ passkey: second.key.used(options(await call(contract.askPasskey, {}))) }),
  ).toMatchObject({
    value: "invalid passkey",
  });
  expect(await call(contract.removeFactor, { token, id: laptop ?? "" })).toMatchObject({ status: "success" });
  expect(await listed()).toMatchObject({ data: [], recovery_left: 0 });
  expect(await call(contract.newRecoveryCodes, { token })).toMatchObject({ value: "no factor" });
  expect(await logIn(email)).toMatchObject({ status: "success" });
  expect([await mailsTo(email, "factor-added"), await mailsTo(email, "factor-removed")]).toEqual([2, 2]);
});

test("the log says why an answer of a passkey is not right: the address of the shop may be set wrong", async () => {
  const { key } = await withPasskey();
  const lines: { err: Error }[] = [];
  const log = { info: (line: { err: Error }) => lines.push(line) } as unknown as Pick<Log, "info">;
  const shop = await openUsers({ db, seal, adminEmails: new Set(), publicUrl: "http://localhost:4000", log });
  const asked = (await shop.factors.askPasskey(now())) as AskedOptions;
  expect(await shop.factors.enter({ passkey: key.used({ ...asked }) }, now())).toBe("invalid passkey");
  expect(lines.map(({ err }) => err.message)).toEqual([expect.stringContaining("http://localhost:4000")]);
  await shop.close();
});

test("passkeys are for a name with TLS, or for this machine", async () => {
  for (const [publicUrl, takes] of [
    ["https://shop.example", true],
    ["http://localhost:3000", true],
    ["http://shop.example", false],
    ["https://203.0.113.7", false],
    ["http://127.0.0.1:3000", false],
    ["https://[2001:db8::1]", false],
  ] as const) {
    const shop = await openUsers({ db, seal, adminEmails: new Set(), publicUrl });
    expect(shop.factors.takesPasskeys, publicUrl).toBe(takes);
    await shop.close();
  }
});
