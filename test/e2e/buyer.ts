import { type APIRequestContext, expect, type Page } from "@playwright/test";
import { type Challenge, solveChallenge } from "altcha-lib";
import { deriveKey } from "altcha-lib/algorithms/pbkdf2";
import { createTransport } from "nodemailer";
import { outboxCode } from "../kit/outbox.ts";
import type { Place } from "../kit/process.ts";
import { codeFor } from "./mail.ts";
import { place } from "./shopAddress.ts";

/** Of every account that tests make. */
export const password = "correct horse";
let made = 0;

export interface Buyer {
  email: string;
  token: string;
}

/**
 * An account that may buy: registered and activated, with money that the administrator puts on it, all by calls. `request`
 * speaks to the shop, whose mails lie in `dataDir`; money comes from the shop of this run alone.
 */
export async function newBuyer(
  request: APIRequestContext,
  dollars = "1",
  { dataDir }: Pick<Place, "dataDir"> = place,
): Promise<Buyer> {
  const email = `buyer-${process.pid}-${Date.now()}-${made++}@example.com`;
  const { token } = await register(request, email);
  await ask(request, "/user/activate", { token, code: await outboxCode(dataDir, email) });
  if (Number(dollars) > 0) {
    const administrator = await theOperator(request);
    const told = await request.get("/user/information", { headers: { authorization: `Bearer ${token}` } });
    const user = ((await told.json()) as { data: { id: string } }).data.id;
    const change = { user, amount: dollars, reason: "browser tests", key: email };
    await ask(request, "/api/admin/users/adjust", { token: administrator.token, ...change });
  }
  return { email, token };
}

let member: Promise<Buyer> | undefined;

/**
 * The account, without money, of all tests of this process that leave it as it was: they answer in the server's place, or
 * only look.
 */
export function theMember(request: APIRequestContext): Promise<Buyer> {
  return (member ??= newBuyer(request, "0"));
}

/** An account that has not entered its code. */
export async function newStranger(request: APIRequestContext): Promise<Buyer> {
  const email = `stranger-${process.pid}-${Date.now()}-${made++}@example.com`;
  return { email, ...(await register(request, email)) };
}

let operator: Promise<Buyer> | undefined;

/** The administrator of this run. */
export function theOperator(request: APIRequestContext): Promise<Buyer> {
  return (operator ??= openOperator(request));
}

/** The first process that asks registers it, and one that asks a moment later waits for that. */
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

/** An account that the back office lets in, if it is one already. */
async function signIn(request: APIRequestContext, email: string): Promise<Buyer | undefined> {
  const captcha = await solve(request);
  const said = await ask(request, "/user/authorize", { email, password, captcha }).catch(() => undefined);
  if (!said) return undefined;
  const { token } = said["data"] as { token: string };
  const check = await request.get("/api/admin/check", { headers: { authorization: `Bearer ${token}` } });
  const { status } = (await check.json()) as { status: string };
  return status === "success" ? { email, token } : undefined;
}

/** Signs the browser in, in another shop than that of this run if one is named. Not by an init script: it would be tried in the frame of a letter too, where no script may run. */
export async function enter(page: Page, { token }: Pick<Buyer, "token">, shop = ""): Promise<void> {
  await page.goto(`${shop}/favicon.svg`);
  await page.evaluate((kept) => localStorage.setItem("authToken", kept), token);
}

/** Sends a letter as a site would, to the shop of this run if no other is named. */
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

async function register(request: APIRequestContext, email: string): Promise<{ token: string }> {
  const recaptcha = await solve(request);
  const said = await ask(request, "/user/registration", { email, password, localization: "ru", recaptcha });
  return { token: String(said["token"]) };
}

/** Solves the captcha as a browser does. */
export async function solve(request: APIRequestContext): Promise<string> {
  const challenge = (await (await request.get("/api/captcha")).json()) as Challenge;
  const solution = await solveChallenge({ challenge, deriveKey });
  return Buffer.from(JSON.stringify({ challenge, solution })).toString("base64");
}

async function ask(request: APIRequestContext, path: string, form: Record<string, string>) {
  const said = (await (await request.post(path, { form })).json()) as Record<string, unknown>;
  if (said["status"] !== "success") throw new Error(`${path}: ${String(said["value"])}`);
  return said;
}
