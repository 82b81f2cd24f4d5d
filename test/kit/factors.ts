// Accounts with a second factor, on the accounts of test/kit/accounts.ts.
import { TOTP } from "otpauth";
import { expect, onTestFinished, vi } from "vitest";
import * as contract from "../../src/contract/account/factors.ts";
import * as account from "../../src/contract/users.ts";
import { call, db, logIn, member, type Sent } from "./accounts.ts";
import { Passkey } from "./passkey.ts";

type Told = Record<string, unknown>;
export const options = (answer: Told) => answer["options"] as { challenge: string; [name: string]: unknown };

/** The clock stands at the beginning of a period of codes, unless a test moves it. */
export function holdClock(): void {
  const at = Math.ceil(Date.now() / 30_000) * 30_000;
  vi.useFakeTimers({ now: at, toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
}
export const wait = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000);

export const codeOf = (secret: string, seconds = 0) =>
  new TOTP({ secret }).generate({ timestamp: Date.now() + seconds * 1000 });

export async function withApp() {
  const { email, token } = await member();
  const begun = await call(contract.beginApp, { token });
  const [secret, ticket] = [String(begun["secret"]), String(begun["ticket"])];
  const added = await call(contract.addApp, { token, name: "Phone", ticket, code: codeOf(secret) });
  expect(added).toMatchObject({ status: "success", data: { kind: "app", name: "Phone" } });
  wait(30);
  return { email, token, secret, codes: added["recovery_codes"] as string[] };
}

export async function addPasskey(token: string, key = new Passkey(), name = "Laptop") {
  const begun = options(await call(contract.beginPasskey, { token }));
  const answer = { token, name, passkey: key.made({ challenge: begun.challenge }) };
  return { key, begun, answer, added: await call(contract.addPasskey, answer) };
}

export async function withPasskey() {
  const { email, token } = await member();
  const { key, added } = await addPasskey(token);
  expect(added).toMatchObject({ status: "success", data: { kind: "passkey", name: "Laptop" } });
  return { email, token, key, codes: added["recovery_codes"] as string[] };
}

export async function ticketOf(email: string, sent: Sent = {}): Promise<string> {
  const answer = await logIn(email, {}, sent);
  expect(answer).toMatchObject({ status: "error", value: "second factor" });
  return String(answer["ticket"]);
}

export const enter = (asked: Record<string, string>, sent: Sent = {}) =>
  call(contract.authorizeFactor, asked, sent);
export const opens = async (token: string) => (await call(account.balance, { token })).status === "success";
export const mailsTo = async (email: string, kind: string) => {
  const [row] = await db<{ count: number }[]>`
    select count(*)::integer as count from task where kind = ${kind} and payload->>'to' = ${email}`;
  return row?.count;
};
