// Who calls: nine kinds of caller, each account with objects of its own that are known again in an answer.
import { randomBytes } from "node:crypto";
import { expect, vi } from "vitest";
import { secretKey } from "../kit/hosted.ts";
import type { Answer, TestShop } from "../kit/shop.ts";
import type { Known } from "./requests.ts";
import { soon } from "../kit/soon.ts";

export const callerNames = [
  "stranger",
  "unconfirmed",
  "buyer",
  "other buyer",
  "partner",
  "investor",
  "limited token",
  "administrator's token",
  "administrator's session",
  "administrator's session without a fresh proof",
] as const;
export type CallerName = (typeof callerNames)[number];

/** An account: its credentials, and what only its owner and administrators may see. */
interface Account {
  readonly email: string;
  readonly password: string;
  readonly mark: string;
  /** A network address of its own, since each takes a hundred sign-ins in a quarter of an hour. */
  readonly home: string;
  /** Of its objects, by what they are. */
  readonly ids: Record<string, string[]>;
  readonly secrets: Set<string>;
  session: string;
  /** Of a sign-in before that one. */
  earlier: string;
  token: string;
  /** What its row was when it was made. */
  kept?: { id: bigint; passwordHash: string };
}

export interface Callers {
  /** What the caller sends as token now. */
  readonly tokenOf: (name: CallerName) => string | undefined;
  readonly knownTo: (name: CallerName) => Known;
  /** What must not be in an answer to the caller. */
  readonly foreignTo: (name: CallerName) => readonly string[];
  /** Takes the credentials of an answer for those of its caller. */
  readonly learn: (name: CallerName, path: string, answer: Readonly<Record<string, unknown>>) => void;
  /** All that no log line may have. */
  readonly secrets: () => readonly string[];
  /** Undoes what the calls of others did to the accounts, and signs everybody in again. */
  readonly revive: () => Promise<void>;
}

const accountOf: Partial<Record<CallerName, string>> = {
  unconfirmed: "unconfirmed",
  buyer: "buyer",
  "limited token": "buyer",
  "other buyer": "other",
  partner: "partner",
  investor: "investor",
  "administrator's token": "admin",
  "administrator's session": "admin",
  "administrator's session without a fresh proof": "admin",
};
/** Callers sign in as accounts that others of them made. */
const isSigningIn = (path: string) => /^\/user\/(authorize|registration|changepassword)$/.test(path);
const isOffice = (name: CallerName) => name.startsWith("administrator");

/** Registers the accounts, which order, get a letter, begin a payment and have tokens and webhooks. */
export async function openCallers(shop: TestShop): Promise<Callers> {
  const registered = [...new Set(Object.values(accountOf))].map(
    async (name, place) => [name, await register(shop, name, `203.0.113.${10 + place}`)] as const,
  );
  const accounts = new Map(await Promise.all(registered));
  const admin = accounts.get("admin")!;
  const buyers = ["buyer", "other", "partner"].map((name) => accounts.get(name)!);
  await restore(shop, accounts);
  await Promise.all([
    ...buyers.map((account) => fillBuyer(shop, account, admin)),
    fillPartner(shop, accounts.get("partner")!),
    fillInvestor(shop, accounts.get("investor")!),
  ]);
  const limited = { token: "" };
  /** Announcements and stories, which are everybody's. */
  const written: Record<string, string[]> = {};
  /** Of accounts that requests made. */
  const strangers = new Set<string>();
  const revive = async () => {
    await restore(shop, accounts);
    const owner = accounts.get("buyer")!;
    await Promise.all(buyers.map((account) => money(shop, admin, account)));
    const { data } = await shop.get("/user/tokens", { token: owner.token });
    for (const { id } of data as { id: string }[])
      await shop.post("/user/tokens/remove", { token: owner.token, id });
    const made = await shop.post("/user/tokens/add", { token: owner.token, name: `${owner.mark} program` });
    limited.token = String(made["token"]);
    owner.secrets.add(limited.token);
  };
  await revive();
  const of = (name: CallerName) => accounts.get(accountOf[name] ?? "");
  const others = (name: CallerName) => [...accounts.values()].filter((each) => each !== of(name));
  return {
    tokenOf: (name) => {
      if (name === "limited token") return limited.token;
      if (name.endsWith("without a fresh proof")) return of(name)?.earlier;
      return name.endsWith("session") ? of(name)?.session : of(name)?.token;
    },
    knownTo: (name) => (kind, path, parameter) => {
      const ofAll = written[/newsmain|stories/.exec(path)?.[0] ?? ""];
      if (ofAll && /^(id|newsId|storyId)$/.test(parameter)) return ofAll;
      const mine = of(name);
      return (kind === "own" ? (mine ? [mine] : []) : others(name)).flatMap((account) =>
        objectsOf(account, path, parameter),
      );
    },
    foreignTo: (name) =>
      others(name).flatMap(({ mark, email, ids, secrets }) =>
        isOffice(name) ? [...secrets] : [mark, email, ...secrets, ...privateIds(ids)],
      ),
    learn: (name, path, { token, secret, data, id }) => {
      const kind = /^\/api\/admin\/(newsmain|stories)\/create$/.exec(path)?.[1];
      if (kind !== undefined && typeof id === "string") (written[kind] ??= []).push(id);
      const within = typeof data === "object" && data !== null && "token" in data ? data.token : undefined;
      for (const each of [token, secret, within])
        if (typeof each === "string")
          (isSigningIn(path) ? strangers : (of(name)?.secrets ?? strangers)).add(each);
    },
    secrets: () => [
      ...strangers,
      ...[...accounts.values()].flatMap(({ secrets, password }) => [...secrets, password]),
    ],
    revive,
  };
}

async function register(shop: TestShop, name: string, home: string): Promise<Account> {
  const call = callsFrom(shop, home);
  const mark = `${name}${randomBytes(6).toString("hex")}`;
  const [email, password] = [name === "admin" ? "admin@example.com" : `${mark}@example.com`, `${mark} horse`];
  const made = await call("POST", "/user/registration", {
    email,
    password,
    localization: "en",
    recaptcha: "off",
  });
  const account = {
    email,
    password,
    mark,
    home,
    ids: {},
    secrets: new Set<string>(),
    session: String(made["token"]),
    earlier: "",
    token: "",
  };
  if (name !== "unconfirmed") {
    const code = await shop.codeFor(email);
    expect(await call("POST", "/user/activate", { token: account.session, code })).toMatchObject({
      status: "success",
    });
  }
  await signIn(shop, account);
  const { data } = await call("GET", "/user/information", { token: account.session });
  return Object.assign(account, { ids: { user: [String((data as { id: unknown }).id)] } });
}

/** Two sessions by the password, and the token of programs; nothing where all are as they were. */
async function signIn(shop: TestShop, account: Account): Promise<void> {
  const call = callsFrom(shop, account.home);
  const look = (token: string) => call("GET", "/user/information", { token });
  const known = [await look(account.earlier), await look(account.session)];
  const isKept = ({ status, data }: Answer) =>
    status === "success" && (data as { token: string }).token === account.token;
  if (known.every(isKept)) return;
  const { email, password } = account;
  const enter = async () => {
    const signed = await call("POST", "/user/authorize", { email, password, captcha: "off" });
    expect(signed, JSON.stringify([email, signed])).toMatchObject({ status: "success" });
    return (signed["data"] as { token: string }).token;
  };
  account.earlier = await enter();
  // Its proof is older than ten minutes.
  await shop.db`
    update user_session set proved_at = 'epoch' where user_id = (select id from users where email = ${email})`;
  account.session = await enter();
  const { data } = await look(account.session);
  account.token = (data as { token: string }).token;
  for (const secret of [account.earlier, account.session, account.token]) account.secrets.add(secret);
}

/** What an administrator's call may have taken from an account is given back. */
async function restore(shop: TestShop, accounts: ReadonlyMap<string, Account>): Promise<void> {
  for (const [name, account] of accounts) {
    const { email } = account;
    const [kept = account.kept!] = account.kept
      ? []
      : await shop.db<{ id: bigint; passwordHash: string }[]>`
          select id, password_hash as "passwordHash" from users where email = ${email}`;
    account.kept = kept;
    await shop.db`
      update users set email = ${email}, password_hash = ${kept.passwordHash}, blocked_at = null, closed_at = null,
        is_admin = ${name === "admin"}, office_role = null, open_to_programs = null, is_investor = ${name === "investor"}
      where id = ${kept.id}`;
    await shop.db`delete from user_factor where user_id = ${kept.id}`;
  }
  const emails = [...accounts.values()].map(({ email }) => email);
  // An administrator's account signs in more often than an address may in a quarter of an hour.
  await shop.db`delete from limit_bucket`;
  await shop.db`delete from investor_flag`;
  await shop.db`update mail_domain set enabled = true where name = 'letters.test'`;
  await shop.db`update site set blocked = false`;
  await shop.db`select pg_notify('catalog', ''), (select count(pg_notify('users', id::text)) from users where email = any(${emails}))`;
  await Promise.all([...accounts.values()].map((account) => signIn(shop, account)));
  const admin = accounts.get("admin")!;
  await vi.waitFor(
    async () =>
      expect(await shop.get("/api/admin/check", { token: admin.session })).toMatchObject({
        status: "success",
      }),
    soon,
  );
}

async function money(shop: TestShop, admin: Account, { ids, token }: Account): Promise<void> {
  const { balance } = await shop.get<{ balance: string }>("/user/balance", { token });
  if (Number(balance) > 5) return;
  const key = randomBytes(8).toString("hex");
  const given = await shop.post("/api/admin/users/adjust", {
    token: admin.session,
    user: ids["user"]?.[0],
    amount: "50",
    reason: "for the run",
    key,
  });
  expect(given).toMatchObject({ status: "success" });
}

async function fillBuyer(shop: TestShop, account: Account, admin: Account): Promise<void> {
  const { token, mark, ids, secrets } = account;
  await money(shop, admin, account);
  const got = await shop.order(token, { subject: mark, client_order_id: mark });
  await shop.send({
    to: got.email,
    from: "no-reply@instagram.com",
    subject: `Hello ${mark}`,
    text: `${mark}: your code is 482913`,
  });
  const letter = await shop.get("/email/getmessage", { token, id: got.id, wait: 20 });
  expect(letter).toMatchObject({ status: "success" });
  const open = await shop.order(token, { subject: mark });
  const payment = await shop.get("/payments/create", { token, wallet: "trx", amount: "5" });
  const shown = await shop.get("/payments/status", { token, id: String(payment["id"]) });
  const webhook = await shop.post("/user/webhooks/add", { token, url: `http://127.0.0.1:9/${mark}` });
  expect([shown, webhook]).toMatchObject([{ wallet: expect.any(String) as string }, { status: "success" }]);
  const { webhook: made, secret } = webhook as unknown as { webhook: { id: string }; secret: string };
  secrets.add(secret);
  Object.assign(ids, {
    order: [got.id, open.id],
    letter: [String(letter["letter_id"])],
    mailbox: [got.email, open.email],
    payment: [String(payment["id"])],
    address: [String(shown["wallet"])],
    webhook: [made.id],
  });
}

async function fillPartner(shop: TestShop, { token, mark, ids }: Account): Promise<void> {
  expect(await shop.post("/user/addReferralWord", { token, word: mark })).toMatchObject({
    status: "success",
  });
  ids["word"] = [mark];
}

/** A batch at a server that does not answer: it waits for the operator. */
async function fillInvestor(shop: TestShop, { token, mark, home, ids, secrets }: Account): Promise<void> {
  const name = "hosted.test";
  await shop.db`insert into mail_domain (name, price, kind, imap_host, imap_port, imap_tls) values (${name}, 350000, 'hosted', '127.0.0.1', 1, 'none')`;
  await shop.db`insert into imap_host (host, port) values ('127.0.0.1', 1) on conflict do nothing`;
  await shop.db`select pg_notify('catalog', '')`;
  const password = `secret-${mark}`;
  secrets.add(password);
  const lines = Array.from({ length: 25 }, (_, place) => `box${place}.${mark}@${name}:${password}`);
  const sent = {
    method: "POST",
    headers: { token, "content-type": "text/plain", "x-forwarded-for": home },
    body: lines.join("\n"),
  };
  const uploaded = (await (await fetch(`${shop.url}/investor/upload`, sent)).json()) as Answer;
  expect(uploaded).toMatchObject({ status: "success" });
  ids["batch"] = [String(uploaded["id_batch"])];
}

/** Calls that come from a network address. */
function callsFrom(shop: TestShop, home: string) {
  return async (method: "GET" | "POST", path: string, asked: Record<string, string>): Promise<Answer> => {
    const form = new URLSearchParams(asked);
    const [url, init] = method === "GET" ? [`${path}?${form}`, {}] : [path, { body: form }];
    const headers = { "x-forwarded-for": home };
    return (await (await fetch(shop.url + url, { method, headers, ...init })).json()) as Answer;
  };
}

const kinds: readonly (readonly [RegExp, string])[] = [
  [/^\/payments|payments\//, "payment"],
  [/webhooks/, "webhook"],
  [/^\/(email|user\/(activations|history))/, "order"],
  [/avatar|viewed/, "user"],
];
const named: Readonly<Record<string, string>> = {
  user: "user",
  userId: "user",
  partner: "user",
  buyer: "user",
  soft_id: "user",
  order: "order",
  batch: "batch",
  letter: "letter",
};

function objectsOf({ ids, email, mark }: Account, path: string, parameter: string): readonly string[] {
  if (parameter === "email") return path.startsWith("/email") ? (ids["mailbox"] ?? []) : [email];
  // Whatever is kept, an answer to another may tell: of these nothing is, and the partner has the word already.
  if (["search", "target"].includes(parameter)) return [mark];
  if (["word", "ref"].includes(parameter)) return ids["word"] ?? [];
  if (parameter === "id") return ids[kinds.find(([form]) => form.test(path))?.[1] ?? "user"] ?? [];
  return ids[named[parameter] ?? ""] ?? [];
}

const privateIds = ({
  order = [],
  payment = [],
  address = [],
  webhook = [],
  mailbox = [],
}: Record<string, string[]>) => [...order, ...address, ...payment, ...webhook, ...mailbox];

export const settings = {
  SECRET_KEY: secretKey,
  TRUST_PROXY: "loopback",
  WEBHOOK_PRIVATE: "127.0.0.1",
  WEBHOOK_PORTS: "1-65535",
  LOG_LEVEL: "trace",
};
