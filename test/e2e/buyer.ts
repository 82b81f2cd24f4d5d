import { type APIRequestContext, expect, type Page } from "@playwright/test";
import { createTransport } from "nodemailer";
import { easilySolved } from "../kit/captcha.ts";
import { outboxCode } from "../kit/outbox.ts";
import type { Place } from "../kit/process.ts";
import { codeFor } from "./mail.ts";
import { place } from "./shopAddress.ts";

export const password = "correct horse";
let made = 0;

export interface Buyer {
  email: string;
  token: string;
}

/** An activated account with money, made by calls to the shop whose mails lie in `dataDir`. Only this run's shop gives money. */
export async function newBuyer(
  request: APIRequestContext,
  dollars = "1",
  { dataDir }: Pick<Place, "dataDir"> = place,
): Promise<Buyer> {
  const email = `buyer-${process.pid}-${Date.now()}-${made++}@example.com`;
  const { token } = await register(request, email, dataDir);
  await ask(request, "/user/activate", { token, code: await outboxCode(dataDir, email) });
  if (Number(dollars) > 0) {
    const administrator = await (operator ??= openOperator(request));
    const told = await request.get("/user/information", { headers: { authorization: `Bearer ${token}` } });
    const user = ((await told.json()) as { data: { id: string } }).data.id;
    const change = { user, amount: dollars, reason: "browser tests", key: email };
    const credit = () => ask(request, "/api/admin/users/adjust", { token: administrator.token, ...change });
    await credit().catch(async () => {
      await prove(request, administrator);
      return credit();
    });
  }
  return { email, token };
}

/** The token of the account, which programs have, of somebody who is signed in. */
export async function programToken(
  request: APIRequestContext,
  { token }: Pick<Buyer, "token">,
): Promise<string> {
  const told = await request.get("/user/information", { headers: { authorization: `Bearer ${token}` } });
  return ((await told.json()) as { data: { token: string } }).data.token;
}

let member: Promise<Buyer> | undefined;

/** One account without money for all tests of this process that change nothing on the server. */
export function theMember(request: APIRequestContext): Promise<Buyer> {
  return (member ??= newBuyer(request, "0"));
}

/** An account that is not activated. Its mail is here, so the newest mail is of what the test asks for next. */
export async function newStranger(request: APIRequestContext): Promise<Buyer> {
  const email = `stranger-${process.pid}-${Date.now()}-${made++}@example.com`;
  const { token } = await register(request, email);
  await codeFor(email);
  return { email, token };
}

let operator: Promise<Buyer> | undefined;

/** Signed in, and proved just now to be who it is: a run is longer than a proof counts. */
export async function theOperator(request: APIRequestContext): Promise<Buyer> {
  const found = await (operator ??= openOperator(request));
  await prove(request, found);
  return found;
}

const prove = (request: APIRequestContext, { token }: Buyer) =>
  ask(request, "/user/prove", { token, password });

/** Several processes may ask at once: the first registers it. */
async function openOperator(request: APIRequestContext): Promise<Buyer> {
  const email = place.adminEmail;
  const known = await signIn(request, email);
  if (known) return known;
  const made = await register(request, email).catch(() => undefined);
  if (made) {
    await ask(request, "/user/activate", { token: made.token, code: await codeFor(email) });
    return { email, token: made.token };
  }
  let found: Buyer | undefined;
  await expect.poll(async () => (found = await signIn(request, email)) !== undefined).toBe(true);
  if (!found) throw new Error("the operator cannot sign in");
  return found;
}

/** Throws when there is no such account. */
export async function authorize(request: APIRequestContext, email: string, secret: string): Promise<Buyer> {
  const captcha = await easilySolved(place.dataDir);
  const said = await ask(request, "/user/authorize", { email, password: secret, captcha });
  return { email, token: (said["data"] as { token: string }).token };
}

async function signIn(request: APIRequestContext, email: string): Promise<Buyer | undefined> {
  const buyer = await authorize(request, email, password).catch(() => undefined);
  if (!buyer) return undefined;
  const { token } = buyer;
  const check = await request.get("/api/admin/check", { headers: { authorization: `Bearer ${token}` } });
  const { status } = (await check.json()) as { status: string };
  return status === "success" ? buyer : undefined;
}

/** Signs the browser in, at this run's shop by default. No init script: it would run in a letter's frame too, where scripts are blocked. */
export async function enter(page: Page, { token }: Pick<Buyer, "token">, shop = ""): Promise<void> {
  await page.goto(`${shop}/favicon.svg`);
  await page.evaluate((kept) => localStorage.setItem("authToken", kept), token);
}

export async function sendLetter(
  letter: { from: string; to: string; subject: string; html?: string; text?: string },
  { smtpPort }: Pick<Place, "smtpPort"> = place,
): Promise<void> {
  const transport = createTransport({ host: "127.0.0.1", port: smtpPort, ignoreTLS: true });
  try {
    await transport.sendMail(letter);
  } finally {
    transport.close();
  }
}

async function register(
  request: APIRequestContext,
  email: string,
  dataDir = place.dataDir,
): Promise<{ token: string }> {
  const recaptcha = await easilySolved(dataDir);
  const said = await ask(request, "/user/registration", { email, password, localization: "ru", recaptcha });
  return { token: String(said["token"]) };
}

async function ask(request: APIRequestContext, path: string, form: Record<string, string>) {
  const said = (await (await request.post(path, { form })).json()) as Record<string, unknown>;
  if (said["status"] !== "success") throw new Error(`${path}: ${String(said["value"])}`);
  return said;
}
