import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import nodemailer from "nodemailer";
import { openShop, type Times } from "../../src/server/app.ts";
import { readConfig } from "../../src/server/platform/config/config.ts";
import type { Db } from "../../src/server/platform/db/db.ts";
import { createLog, type Log } from "../../src/server/platform/log.ts";
import { createDatabase, noteShop } from "./database.ts";
import { holdToDescription } from "./described.ts";
import { outboxCode } from "./outbox.ts";
import { freePort } from "./port.ts";

export type Answer = Record<string, unknown> & { status: string; value?: string };
type Parameters = Record<string, string | number | undefined>;

/** The whole shop in this process, on its own database, over its network interfaces. */
export interface TestShop {
  readonly url: string;
  readonly db: Db;
  readonly databaseUrl: string;
  readonly dataDir: string;
  get<Said = Answer>(path: string, parameters?: Parameters): Promise<Said>;
  post(path: string, parameters?: Parameters): Promise<Answer>;
  member(email?: string): Promise<string>;
  /** The same with money. */
  buyer(dollars?: string): Promise<string>;
  /** At letters.test for instagram.com by default; throws when refused. */
  order(token: string, asked?: Parameters): Promise<{ id: string; email: string }>;
  codeFor(email: string): Promise<string>;
  /** Over SMTP; throws when refused. */
  send(letter: {
    to: string;
    from: string;
    subject: string;
    text?: string;
    html?: string;
    attachments?: { filename: string; content: Buffer; contentType: string; cid?: string }[];
  }): Promise<void>;
  stop(): Promise<void>;
}

const password = "correct horse";
const adminEmail = "admin@example.com";
let members = 0;

/** The demonstration's stock is in the template. */
const isDemo = ({ DEMO = "true" }: Record<string, string>) => DEMO === "true";

/** Where a shop has its data. */
type Place = Pick<TestShop, "db" | "databaseUrl" | "dataDir">;

/** A new place, or that of another shop as its second process. Stop the second first. */
async function place(beside: Place | undefined, settings: Record<string, string>) {
  if (beside) {
    const { db, databaseUrl, dataDir } = beside;
    return { db, databaseUrl, dataDir, leave: async () => undefined };
  }
  const { db, url: databaseUrl, drop } = await createDatabase({ isStocked: isDemo(settings) });
  const dataDir = await mkdtemp(join(tmpdir(), "postern-shop-"));
  const leave = async () => {
    await drop();
    await rm(dataDir, { recursive: true, force: true });
  };
  return { db, databaseUrl, dataDir, leave };
}

/** `settings` are those of docs/operations.md. */
export async function startShop(
  settings: Record<string, string> = {},
  beside?: Place,
  times?: Times,
  log?: Log,
): Promise<TestShop> {
  const { db, databaseUrl, dataDir, leave } = await place(beside, settings);
  const [port, smtpPort] = [await freePort(), await freePort()];
  const config = readConfig({
    DATABASE_URL: databaseUrl,
    SECRET_KEY: "ef494d78e3f38f737d28cc5f0ffe2a4af3044c29f3a096309e48b2dcdbe23602",
    DATA_DIR: dataDir,
    PORT: String(port),
    SMTP_PORT: String(smtpPort),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    DEMO: "true",
    CAPTCHA: "off",
    ADMIN_EMAILS: adminEmail,
    LOG_LEVEL: "error",
    ...settings,
  });
  const shop = await openShop(config, log ?? createLog(config.logLevel), times);
  let admin: Promise<string> | undefined;
  const calls = callsTo(`http://127.0.0.1:${port}`, smtpPort, dataDir);
  return {
    url: `http://127.0.0.1:${port}`,
    db,
    databaseUrl,
    dataDir,
    ...calls,
    async buyer(dollars = "10") {
      const token = await calls.member();
      admin ??= calls.member(adminEmail);
      const { id } = await calls.get("/payments/create", { token, wallet: "trx", amount: dollars });
      const paid = await calls.post(`/api/admin/payments/confirm/${String(id)}`, { token: await admin });
      if (paid["payment_status"] !== 1)
        throw new Error(`the payment is not confirmed: ${JSON.stringify(paid)}`);
      return token;
    },
    stop: noteShop(async () => {
      await shop.stop();
      await leave();
    }),
  };
}

function callsTo(url: string, smtpPort: number, dataDir: string) {
  const call = async (path: string, init?: RequestInit): Promise<Answer> => {
    const response = await fetch(url + path, init);
    const answer = (await response.json()) as Answer;
    await holdToDescription(`${init?.method ?? "GET"} ${path.replace(/\?.*/s, "")}`, response.status, answer);
    return answer;
  };
  const get = async <Said = Answer>(path: string, parameters: Parameters = {}) =>
    (await call(`${path}?${form(parameters)}`)) as Said;
  const post: TestShop["post"] = (path, parameters = {}) =>
    call(path, { method: "POST", body: form(parameters) });
  const order: TestShop["order"] = async (token, asked = {}) => {
    const placed = await get("/email/order", {
      token,
      site: "instagram.com",
      domain: "letters.test",
      ...asked,
    });
    if (placed.status !== "success") throw new Error(`not ordered: ${JSON.stringify(placed)}`);
    return { id: String(placed["id"]), email: String(placed["email"]) };
  };
  const codeFor = (email: string) => outboxCode(dataDir, email);
  const member = async (email = `member${++members}@example.com`) => {
    const { token } = await post("/user/registration", {
      email,
      password,
      localization: "ru",
      recaptcha: "off",
    });
    const activated = await post("/user/activate", { token: String(token), code: await codeFor(email) });
    if (activated.status !== "success") throw new Error(`not activated: ${activated.value}`);
    return String(token);
  };
  const send: TestShop["send"] = async (letter) => {
    const transport = nodemailer.createTransport({ host: "127.0.0.1", port: smtpPort, ignoreTLS: true });
    await transport.sendMail(letter).finally(() => transport.close());
  };
  return { get, post, order, codeFor, member, send };
}

function form(parameters: Parameters): URLSearchParams {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined);
  return new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
}
