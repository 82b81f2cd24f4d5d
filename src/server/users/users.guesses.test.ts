import { expect, test } from "vitest";
import {
  askReset,
  call,
  later,
  logIn,
  mailed,
  mailedBoth,
  member,
  newEmail,
  password,
  signUp,
  solved,
  wrong,
  useAccounts,
} from "../../../test/kit/accounts.ts";
import * as contract from "../../contract/users.ts";

useAccounts();

test("an address from which the account was entered is let in while hundreds guess from elsewhere", async () => {
  const { email } = await member();
  expect(await logIn(email, {}, { from: "192.0.2.30" })).toMatchObject({ status: "success" });
  for (let at = 0; at < 10; at++) {
    const from = `198.51.100.${at}`;
    const guess = () => logIn(email, { password: "a wild guess" }, { from });
    await Promise.all(Array.from({ length: 10 }, guess));
  }
  expect(await logIn(email, {}, { from: "192.0.2.31" })).toMatchObject({ http: 429 });
  expect(await logIn(email, {}, { from: "192.0.2.30" })).toMatchObject({ status: "success" });
});

test("a common password is refused as a new one, and so is the own address", async () => {
  const { email } = await member();
  expect(await askReset(email)).toMatchObject({ status: "success" });
  const code = await mailed(email);
  for (const password of ["123456", "password", "      ", "Qwerty123", email])
    expect(await call(contract.changePassword, { email, code, password })).toMatchObject({
      value: "password too common",
    });
  expect(await call(contract.changePassword, { email, code, password: "tulip harbor" })).toMatchObject({
    status: "success",
  });
});

test("a new password without a code is answered the same with and without an account", async () => {
  const [{ email: waiting }, { email: without }] = [await member(), await member()];
  await askReset(waiting);
  const code = wrong(await mailed(waiting));
  const change = async (email: string) => {
    const { headers: _, ...said } = await call(contract.changePassword, {
      email,
      code,
      password: "new horse",
    });
    return said;
  };
  const nobody = await change("nobody@example.com");
  expect(nobody).toMatchObject({ value: "invalid code" });
  for (let n = 0; n < 7; n++) expect(await change(waiting)).toEqual(nobody);
  expect(await change(without)).toEqual(nobody);
  await later(waiting, 15 * 60);
  expect(await change(waiting)).toEqual(nobody);
});

test("addresses are probed by /user/changepassword so often from one network address, and no more", async () => {
  const answers = await Promise.all(
    Array.from({ length: 104 }, (_, n) =>
      call(
        contract.changePassword,
        { email: `probe${n}@example.com`, code: "123456", password: "new horse" },
        { from: "192.0.2.90" },
      ),
    ),
  );
  expect(answers.filter(({ http }) => http === 429)).toHaveLength(4);
});

test("what strangers try of a code leaves the right one to who asked for it, and not to them", async () => {
  const { email } = await member();
  const owner = "192.0.2.40";
  expect(await askReset(email, { from: owner })).toMatchObject({ status: "success" });
  const code = await mailed(email);
  const change = (tried: string, from: string) =>
    call(contract.changePassword, { email, code: tried, password: "new horse" }, { from });
  for (let n = 0; n < 5; n++)
    expect(await change(wrong(code), "203.0.113.1")).toMatchObject({ value: "invalid code" });
  expect(await change(code, "203.0.113.1")).toMatchObject({ value: "token expired" });
  // Many addresses together search no further than one might.
  for (let at = 2; at < 7; at++) for (let n = 0; n < 5; n++) await change(wrong(code), `203.0.113.${at}`);
  expect(await change(code, "203.0.113.99")).toMatchObject({ http: 429 });
  expect(await change(wrong(code), owner)).toMatchObject({ value: "invalid code" });
  expect(await change(code, owner)).toMatchObject({ status: "success" });
});

test("an activation code tried elsewhere by another holder of the token still works where it was requested", async () => {
  const email = newEmail();
  const { token } = await signUp(email, {}, { from: "192.0.2.41" });
  const code = await mailed(email);
  const activate = (tried: string, from: string) =>
    call(contract.activate, { token: String(token), code: tried }, { from });
  for (let n = 0; n < 6; n++) await activate(wrong(code), "203.0.113.200");
  expect(await activate(code, "203.0.113.200")).toMatchObject({ value: "token expired" });
  expect(await activate(code, "192.0.2.41")).toMatchObject({ status: "success" });
});

test("strangers who asked for a code do not lock the owner out, neither at home nor where the owner asked", async () => {
  const { email } = await member();
  const [home, elsewhere] = ["192.0.2.50", "192.0.2.51"];
  expect(await logIn(email, {}, { from: home })).toMatchObject({ status: "success" });
  const strangers = ["203.0.113.50", "203.0.113.51"];
  for (const from of [...strangers, elsewhere]) {
    expect(await askReset(email, { from })).toMatchObject({ status: "success" });
    await later(email, 61);
  }
  const code = await mailed(email);
  const change = (tried: string, from: string) =>
    call(contract.changePassword, { email, code: tried, password: "new horse" }, { from });
  for (const from of strangers) for (let n = 0; n < 30; n++) await change(wrong(code), from);
  for (const from of strangers) expect(await change(code, from)).toMatchObject({ http: 429 });
  for (const from of [home, elsewhere])
    expect(await change(wrong(code), from)).toMatchObject({ value: "invalid code" });
  expect(await change(code, home)).toMatchObject({ status: "success" });
});

test("a stranger's request voids neither the code that the owner got nor the two before it", async () => {
  const { email } = await member();
  const owner = "192.0.2.60";
  const ask = async (from: string) => {
    expect(await askReset(email, { from })).toMatchObject({ status: "success" });
    await later(email, 61);
    return mailed(email);
  };
  const change = (code: string, from: string) =>
    call(contract.changePassword, { email, code, password: "new horse" }, { from });
  const first = await ask(owner);
  const second = await ask("203.0.113.60");
  await ask("203.0.113.61");
  const fourth = await ask("203.0.113.62");
  // The three newest open; the first one's place is taken, as its network is none of the account's.
  expect(await change(first, owner)).toMatchObject({ value: "invalid code" });
  await later(email, 10 * 60);
  expect(await change(second, owner)).toMatchObject({ status: "success" });
  expect(await change(fourth, owner)).toMatchObject({ value: "invalid code" });
});

test("a code asked for at home is not pushed out by any number that strangers ask for", async () => {
  const { email } = await member();
  const home = "192.0.2.61";
  expect(await logIn(email, {}, { from: home })).toMatchObject({ status: "success" });
  expect(await askReset(email, { from: home })).toMatchObject({ status: "success" });
  const code = await mailed(email);
  for (let n = 0; n < 6; n++) {
    await later(email, 61);
    expect(await askReset(email, { from: `203.0.113.${n}` })).toMatchObject({ status: "success" });
  }
  expect(
    await call(contract.changePassword, { email, code, password: "new horse" }, { from: home }),
  ).toMatchObject({ status: "success" });
});

test("the link of a mail opens when the digits may be tried no more, once, and as long as they would live", async () => {
  const { email } = await member();
  const change = (code: string, from = "192.0.2.62") =>
    call(contract.changePassword, { email, code, password: "new horse" }, { from });
  expect(await askReset(email, { from: "203.0.113.70" })).toMatchObject({ status: "success" });
  const old = await mailedBoth(email);
  for (let n = 0; n < 6; n++)
    for (let at = 71; at < 78; at++) await change(wrong(old.code), `203.0.113.${at}`);
  expect(await change(old.code)).toMatchObject({ http: 429 });
  await later(email, 15 * 60);
  expect(await change(old.link)).toMatchObject({ value: "token expired" });
  expect(await askReset(email, { from: "203.0.113.70" })).toMatchObject({ status: "success" });
  const { link } = await mailedBoth(email);
  expect(await change(link.replace(/^./, (letter) => (letter === "a" ? "b" : "a")))).toMatchObject({
    value: "invalid code",
  });
  expect(await change(link)).toMatchObject({ status: "success" });
  expect(await change(link)).toMatchObject({ value: "invalid code" });
});

test("the link of the mail activates, and that of another account or purpose does not", async () => {
  const [email, other] = [newEmail(), newEmail()];
  const { token } = await signUp(email);
  await signUp(other);
  const activate = (code: string) => call(contract.activate, { token: String(token), code });
  expect(await activate((await mailedBoth(other)).link)).toMatchObject({ value: "invalid code" });
  const { link } = await mailedBoth(email);
  expect(await call(contract.changePassword, { email, code: link, password: "new horse" })).toMatchObject({
    value: "invalid code",
  });
  expect(await activate(link)).toMatchObject({ status: "success" });
});

test("a wrong code waits for no password that is hashed, and nobody who signs in for those of others", async () => {
  const { email } = await member();
  const captcha = await solved();
  const done: string[] = [];
  const note = (what: string) => () => void done.push(what);
  const newcomers = await Promise.all(
    Array.from({ length: 20 }, async (_, n) => [`crowd${n}@example.com`, await solved()] as const),
  );
  const crowd = newcomers.map(([newcomer, recaptcha]) =>
    call(contract.registration, { email: newcomer, password, localization: "en", recaptcha }).then(
      note("hashed"),
    ),
  );
  const change = { email, code: "000000", password: "new horse" };
  const wrongCode = call(contract.changePassword, change).then(note("wrong code"));
  const nobodys = call(contract.changePassword, { ...change, email: "nobody@example.com" }).then(
    note("wrong code"),
  );
  const signIn = call(contract.authorize, { email, password, captcha }).then(note("signed in"));
  await Promise.all([...crowd, wrongCode, nobodys, signIn]);
  expect(done.slice(0, 2)).toEqual(["wrong code", "wrong code"]);
  // In one queue with them it would be the last.
  expect(done.at(-1)).toBe("hashed");
});

test("a crowd that guesses codes waits in a queue of its own, which has an end: who signs in does not wait for it", async () => {
  const { email } = await member();
  const captcha = await solved();
  const done: string[] = [];
  const crowd = Array.from({ length: 400 }, async (_, n) => {
    const guess = { email: `crowd${n}@example.com`, code: "123456", password: "new horse" };
    const answer = await call(contract.changePassword, guess, { from: `2001:db8:${n}::1` });
    done.push(answer.value ?? "");
    return answer;
  });
  await call(contract.authorize, { email, password, captcha }).then(() => done.push("signed in"));
  const answers = await Promise.all(crowd);
  const refused = answers.filter(({ http }) => http === 429);
  expect(refused.length).toBeGreaterThan(0);
  for (const body of refused) expect(body).toMatchObject({ value: "limit", retry_after: expect.any(Number) });
  expect(done.filter((value) => value === "invalid code")).toHaveLength(400 - refused.length);
  expect(done.slice(done.indexOf("signed in"))).toContain("invalid code");
});
