// Calls of accounts on the test file's database, from many network addresses.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect } from "vitest";
import { solved as solvedOf } from "./captcha.ts";
import { createDatabase } from "./database.ts";
import type { Endpoint } from "../../src/contract/endpoint.ts";
import * as contract from "../../src/contract/users.ts";
import { createHttp } from "../../src/server/http.ts";
import { type Captcha, openCaptcha } from "../../src/server/platform/http/captcha.ts";
import { readConfig } from "../../src/server/platform/config/config.ts";
import type { Db } from "../../src/server/platform/db/db.ts";
import { openLimits } from "../../src/server/platform/http/rate-limits.ts";
import { createLog } from "../../src/server/platform/log.ts";
import { createSeal } from "../../src/server/platform/seal.ts";
import { openPartners } from "../../src/server/partners/partners.ts";
import { factorRoutes } from "../../src/server/users/factors/factors.routes.ts";
import { sessionRoutes } from "../../src/server/users/users.tokens.routes.ts";
import { ownRoutes } from "../../src/server/users/users.own.routes.ts";
import { userRoutes } from "../../src/server/users/users.routes.ts";
import { openPasswords, openUsers, type Users } from "../../src/server/users/users.ts";

type Answer = Record<string, unknown> & {
  status: string;
  value?: string;
  token?: string;
  data: Record<string, unknown>;
};

export const seal = createSeal(Buffer.alloc(32, 6));
export const password = "correct horse";
export let db: Db;
export let users: Users;
let captcha: Captcha;
export let app: FastifyInstance;
let dataDir: string;
let people = 0;
/** Refusals of this file, as "path value". */
export const seen = new Set<string>();

/** Opens them around the tests of a file. Call it once at the top. */
export function useAccounts(): void {
  beforeAll(async () => {
    seen.clear();
    ({ db } = await createDatabase());
    dataDir = await mkdtemp(join(tmpdir(), "postern-users-"));
    const config = readConfig({ DATA_DIR: dataDir, DEMO: "true", TRUST_PROXY: "loopback" });
    captcha = openCaptcha({ setting: { kind: "altcha" }, seal, db, cost: 1 });
    users = await openUsers({ db, seal, adminEmails: new Set(["office@example.com"]) });
    const limits = openLimits(db, seal);
    const partners = openPartners({ db, publicUrl: "https://shop.example" });
    const passwords = openPasswords({
      names: async () => ["shop.example", "mailroom.test"],
      log: createLog("silent"),
    });
    app = await createHttp({
      config,
      log: createLog("silent"),
      routes: [
        ...userRoutes({
          db,
          users,
          limits,
          captcha,
          partners,
          passwords,
          events: { revision: async () => 0n },
        }),
        ...ownRoutes({ limits, passwords, users }),
        ...sessionRoutes({ users }),
        ...factorRoutes({ users, limits, adminsNeedFactor: false }),
      ],
      hooks: {
        callerOf: (token, address) =>
          users.callerOf(token, { address, isSpent: async () => false, missed: async () => undefined }),
        admit: limits.admit,
      },
    });
  });
  afterAll(async () => {
    await app.close();
    await users.close();
    await rm(dataDir, { recursive: true, force: true });
  });
}

export interface Sent {
  readonly from?: string;
  readonly program?: string;
  readonly method?: Endpoint["method"];
}

/** Sends the query of a GET, the form of a POST. */
export async function call(
  endpoint: Endpoint,
  asked: Record<string, string>,
  { from, program, method = endpoint.method }: Sent = {},
) {
  const form = new URLSearchParams(asked).toString();
  const response = await app.inject({
    method,
    url: method === "GET" ? `${endpoint.path}?${form}` : endpoint.path,
    ...(method === "POST" ? { payload: form } : {}),
    headers: {
      ...(method === "POST" ? { "content-type": "application/x-www-form-urlencoded" } : {}),
      ...(from === undefined ? {} : { "x-forwarded-for": from }),
      ...(program === undefined ? {} : { "user-agent": program }),
    },
  });
  const answer = response.json<Answer>();
  if (answer.value !== undefined) seen.add(`${endpoint.path} ${answer.value.replace(/\d+/, "N")}`);
  return Object.assign(answer, { http: response.statusCode, headers: response.headers });
}

export const solved = async (): Promise<string> => solvedOf(await captcha.challenge());

export const newEmail = () => `person${++people}@example.com`;

export const signUp = async (email: string, more: Record<string, string> = {}, sent: Sent = {}) =>
  call(
    contract.registration,
    { email, password, localization: "ru", recaptcha: await solved(), ...more },
    sent,
  );
export const logIn = async (email: string, more: Record<string, string> = {}, sent: Sent = {}) =>
  call(contract.authorize, { email, password, captcha: await solved(), ...more }, sent);
export const askReset = async (email: string, sent: Sent = {}) =>
  call(contract.sendCodeReset, { email, captcha: await solved() }, sent);

export async function newcomer() {
  const email = newEmail();
  return { email, token: String((await signUp(email)).token) };
}

export async function member() {
  const made = await newcomer();
  expect(await call(contract.activate, { token: made.token, code: await mailed(made.email) })).toMatchObject({
    status: "success",
    message: "activated",
  });
  return made;
}

/** What the newest mail to an address says: the code, and the secret of the link. */
export async function mailedBoth(email: string): Promise<{ code: string; link: string }> {
  const [mail] = await db<{ sealed: string }[]>`
    select payload->>'sealed' as sealed from task where payload->>'to' = ${email} order by id desc limit 1`;
  if (!mail) throw new Error(`nothing was mailed to ${email}`);
  return JSON.parse(seal.open(Buffer.from(mail.sealed, "base64"))) as { code: string; link: string };
}

export const mailed = async (email: string): Promise<string> => (await mailedBoth(email)).code;

export async function later(email: string, seconds: number): Promise<void> {
  await db`update user_code set sent_at = sent_at - make_interval(secs => ${seconds}), expires_at = expires_at - make_interval(secs => ${seconds})
     where user_id = (select id from users where email = ${email})`;
  await db`update user_code_earlier set expires_at = expires_at - make_interval(secs => ${seconds})
     where user_id = (select id from users where email = ${email})`;
}

export const wrong = (code: string) => (code === "000000" ? "000001" : "000000");
