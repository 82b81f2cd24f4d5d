import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { noticesFor, outboxCode } from "../../../test/kit/outbox.ts";
import { startShop, type TestShop } from "../../../test/kit/shop.ts";
import { soon } from "../../../test/kit/soon.ts";
import { readFragment } from "../../contract/mail/mail-link.ts";
import { now, secondsAfter } from "../platform/clock.ts";
import { createSeal } from "../platform/seal.ts";
import { openUsers } from "./users.ts";
import { programOf } from "../platform/http/place.ts";

let shop: TestShop;
let people = 0;
const password = "correct horse";
const home = "192.0.2.10";
const elsewhere = "203.0.113.7";
const windows = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0";

beforeAll(async () => {
  shop = await startShop({ TRUST_PROXY: "loopback" });
});
afterAll(() => shop.stop());

interface By {
  readonly from?: string;
  readonly agent?: string;
}

async function post(path: string, asked: Record<string, string>, { from = home, agent }: By = {}) {
  const headers = { "x-forwarded-for": from, ...(agent !== undefined && { "user-agent": agent }) };
  const response = await fetch(shop.url + path, {
    method: "POST",
    body: new URLSearchParams(asked),
    headers,
  });
  return (await response.json()) as Record<string, unknown> & { data: Record<string, unknown> };
}

async function member(language = "ru") {
  const email = `owner${++people}@example.com`;
  const asked = { email, password, localization: "ru", language, recaptcha: "off" };
  const token = String((await post("/user/registration", asked))["token"]);
  await post("/user/activate", { token, code: await shop.codeFor(email) });
  return { email, token };
}

const signIn = async (email: string, by: By = {}, secret = password) =>
  post("/user/authorize", { email, password: secret, captcha: "off" }, by);

/** Which mails were ordered: they are in the transaction of what they tell. */
const told = async (email: string): Promise<string[]> =>
  (
    await shop.db<{ kind: string }[]>`
      select kind from owner_notice n join users u on u.id = n.user_id where u.email = ${email} order by n.id`
  ).map(({ kind }) => kind);

async function mails(email: string, count = 1) {
  return vi.waitFor(async () => {
    const all = await noticesFor(shop.dataDir, email);
    expect(all).toHaveLength(count);
    return all;
  }, soon);
}

async function onlyMail(email: string) {
  const [mail] = await mails(email);
  if (!mail) throw new Error("there is no mail");
  return mail;
}

async function resetPassword(email: string, secret: string, codes = 2, by: By = {}) {
  await post("/user/sendCodeReset", { email, captcha: "off" }, by);
  const code = await outboxCode(shop.dataDir, email, codes);
  expect(await post("/user/changepassword", { email, code, password: secret }, by)).toMatchObject({
    status: "success",
  });
}

const seal = createSeal(Buffer.alloc(32, 6));

/** Beside the shop, for what is done at a given time or all at once. */
async function accountOf(email: string) {
  const users = await openUsers({ db: shop.db, seal, adminEmails: new Set() });
  return { users, userId: (await users.idOf(email)) ?? 0n };
}

const linkOf = (url: string) => {
  const link = readFragment(new URL(url).hash);
  if (link?.mode !== "disown") throw new Error(`${url} is no such link`);
  return link;
};
const disown = (url: string, by: By = {}) => {
  const { email, code } = linkOf(url);
  return post("/user/disown", { email, code }, by);
};

test("a sign-in from elsewhere is told once, in the owner's language, with time, network and browser; none from home is", async () => {
  const { email } = await member();
  await signIn(email);
  expect(await told(email)).toEqual([]);
  await signIn(email, { from: elsewhere, agent: windows });
  await signIn(email, { from: elsewhere });
  await signIn(email);
  expect(await told(email)).toEqual(["signed-in-elsewhere"]);
  const { subject, text, html, link } = await onlyMail(email);
  expect(subject).toBe("Postern: Новый вход в\u00a0аккаунт");
  expect(text).toMatch(/^Когда: \d\d\.\d\d\.\d{4} \d\d:\d\d UTC$/m);
  expect(text).toMatch(/^Сетевой адрес: 203\.0\.113\.7$/m);
  expect(text).toMatch(/^Программа: Firefox, Windows$/m);
  expect(link).toMatch(
    new RegExp(`^${shop.url}/ru#disown/[A-Za-z]{23}/${email.replace(/\d/, "%3$&").replace("@", "%40")}$`),
  );
  for (const part of [text, html]) {
    expect(part).toContain(link);
    expect(part).not.toMatch(/[{}]\w+\}|undefined|\b\d{6}\b/);
  }
});

test("of many sign-ins at once from a new network one is told", async () => {
  const { email } = await member();
  const { users, userId } = await accountOf(email);
  await Promise.all(
    Array.from({ length: 8 }, () => users.signedIn(userId, email, { address: elsewhere }, now())),
  );
  await users.close();
  expect(await told(email)).toEqual(["signed-in-elsewhere"]);
});

test("a sign-in with a wrong password, one from the shop's own network, and one of an address that nobody confirmed are told nobody", async () => {
  const { email } = await member();
  await signIn(email, { from: elsewhere }, "wrong horse");
  await signIn(email, { from: "10.0.0.9" });
  const unconfirmed = `owner${++people}@example.com`;
  const asked = { email: unconfirmed, password, localization: "ru", recaptcha: "off" };
  await post("/user/registration", asked);
  await signIn(unconfirmed, { from: elsewhere });
  expect([await told(email), await told(unconfirmed)]).toEqual([[], []]);
});

test("an address of IPv6 is told by its network", async () => {
  const { email } = await member();
  await signIn(email, { from: "2001:db8:1:2:3::4" });
  expect((await onlyMail(email)).text).toContain("2001:db8:1:2::/64");
});

const url = "https://program.example.com/events";
const acts: [string, string, (account: { email: string; token: string }) => Promise<unknown>][] = [
  ["password-changed", "Tu contraseña ha cambiado", ({ email }) => resetPassword(email, "new horse")],
  ["token-replaced", "Tu token se ha sustituido", ({ token }) => post("/user/replacetoken", { token })],
  [
    "token-added",
    "Se ha creado un token limitado",
    ({ token }) => post("/user/tokens/add", { token, name: "program" }),
  ],
  [
    "webhook-added",
    "Se ha configurado un webhook",
    ({ token }) => post("/user/webhooks/add", { token, url }),
  ],
  [
    "role-granted",
    "Tu cuenta tiene un rol nuevo",
    async ({ email }) => {
      const token = await shop.member("admin@example.com");
      const [user] = await shop.db<{ id: bigint }[]>`select id from users where email = ${email}`;
      for (const granted of ["1", "1", "0"])
        await post("/api/admin/users/grant", { token, user: String(user?.id), role: "investor", granted });
    },
  ],
];

test.each(acts)("%s is told in one mail", async (kind, title, act) => {
  const account = await member("es");
  await act(account);
  expect(await told(account.email)).toEqual([kind]);
  const { subject, text } = await onlyMail(account.email);
  expect(subject).toBe(`Postern: ${title}`);
  if (kind === "role-granted") expect(text).toContain("inversor");
  else expect(text).toContain("192.0.2.10");
  if (kind === "webhook-added") expect(text).toContain("program.example.com");
});

test("a webhook that is made to lead elsewhere is told as a new one, one that stays is not", async () => {
  const { email, token } = await member();
  const added = await post("/user/webhooks/add", { token, url });
  const { id } = added["webhook"] as { id: string };
  await post("/user/webhooks/change", { token, id, url, events: "letter" });
  expect(await told(email)).toEqual(["webhook-added"]);
  await post("/user/webhooks/change", { token, id, url: "https://other.example.com/events" });
  expect(await told(email)).toEqual(["webhook-added", "webhook-added"]);
});

test("what a program does fifty times a day is told three times at once, and then together, each hour once", async () => {
  const { email } = await member();
  const { users, userId } = await accountOf(email);
  const begin = secondsAfter(now(), 86_400);
  const add = async (seconds: number) => {
    const at = secondsAfter(begin, seconds);
    const added = await users.tokens.add(userId, { name: "program" }, at);
    if (added !== "too many") await users.tokens.remove(userId, added.made.id, at);
  };
  for (const seconds of [0, 1, 2, 3, 4, 5, 3602, 3603, 3604, 20_000, 90_000]) await add(seconds);
  await users.close();
  const rows = await shop.db<{ times: number; seconds: number }[]>`
    select times, extract(epoch from created_at - ${begin})::float8 as seconds from owner_notice
    where user_id = ${userId} order by id`;
  expect(rows).toEqual([
    { times: 1, seconds: 0 },
    { times: 1, seconds: 1 },
    { times: 1, seconds: 2 },
    // What was told by then, and then what came after.
    { times: 3, seconds: 3602 },
    { times: 3, seconds: 7202 },
    { times: 1, seconds: 20_000 },
    { times: 1, seconds: 90_000 },
  ]);
  const [together] = await shop.db<{ sealed: string; link: Buffer; dueAt: Date; toldAt: Date }[]>`
    select t.payload->>'sealed' as sealed, n.link_hash as link, t.due_at as "dueAt", n.created_at as "toldAt"
    from owner_notice n join task t on t.ref = 'owner_notice ' || n.id
    where n.user_id = ${userId} and n.times = 3 order by n.id limit 1`;
  const said = JSON.parse(seal.open(Buffer.from(together?.sealed ?? "", "base64"))) as {
    times: number;
    link: string;
  };
  expect(said.times).toBe(3);
  expect(together?.dueAt).toEqual(together?.toldAt);
  expect(seal.hash("disown", `${userId} ${said.link}`)).toEqual(together?.link);
});

test("this was not me: nothing that opened the account before opens it, and its owner sets a new password", async () => {
  const { email, token } = await member();
  await signIn(email, { from: elsewhere });
  const { link } = await onlyMail(email);
  const limited = String((await post("/user/tokens/add", { token, name: "program" }))["token"]);
  await post("/user/webhooks/add", { token, url });
  const bot = await post("/user/telegramlink", { token });
  expect(bot).toMatchObject({ value: "no bot" });
  await shop.db`insert into bot_chat (chat_id, language, user_id) select ${7_000 + people}, 'en', id from users where email = ${email}`;

  expect(await disown(link)).toMatchObject({ status: "success", message: "access ended" });

  expect(await shop.get("/user/balance", { token })).toMatchObject({ value: "token" });
  expect(await shop.get("/user/balance", { token: limited })).toMatchObject({ value: "token" });
  expect(await signIn(email)).toMatchObject({ value: "invalid password" });
  const [left] = await shop.db<{ chats: bigint; webhooks: bigint; journal: bigint }[]>`
    select (select count(*) from bot_chat b where b.user_id = u.id) as chats,
           (select count(*) from webhook w where w.user_id = u.id and w.disabled_at is null) as webhooks,
           (select count(*) from audit_log j where j.did = 'users disown' and j.about = 'user ' || u.id) as journal
    from users u where email = ${email}`;
  expect(left).toEqual({ chats: 0n, webhooks: 0n, journal: 1n });
  const code = await outboxCode(shop.dataDir, email, 2);
  const changed = await post("/user/changepassword", { email, code, password: "new horse" });
  expect(changed).toMatchObject({ status: "success" });
  expect(await signIn(email, {}, "new horse")).toMatchObject({ status: "success" });
});

test("the link works once, by its button alone, for its own account, for seven days", async () => {
  const { email, token } = await member();
  const { email: other } = await member();
  await post("/user/replacetoken", { token });
  const { link } = await onlyMail(email);
  const { code } = linkOf(link);
  const query = new URLSearchParams({ email, code }).toString();
  expect((await fetch(`${shop.url}/user/disown?${query}`)).status).toBe(405);
  expect((await fetch(link)).status).toBe(200);
  expect(await post("/user/disown", { email: other, code })).toMatchObject({ value: "invalid code" });
  expect(await post("/user/disown", { email: "nobody@example.com", code })).toMatchObject({
    value: "invalid code",
  });
  expect(await post("/user/disown", { email: "nobody", code })).toMatchObject({ value: "invalid email" });
  expect(await signIn(email)).toMatchObject({ status: "success" });

  const age = (seconds: number) =>
    shop.db`update owner_notice set created_at = created_at - make_interval(secs => ${seconds})
            where user_id = (select id from users where email = ${email})`;
  await age(7 * 86_400);
  expect(await disown(link)).toMatchObject({ value: "token expired" });
  await age(-60);
  const both = await Promise.all([disown(link), disown(link)]);
  expect(both.map((said) => String(said["status"])).toSorted((a, b) => a.localeCompare(b))).toEqual([
    "error",
    "success",
  ]);
  expect(await disown(link)).toMatchObject({ value: "invalid code" });
  const [row] = await shop.db<{ stored: string }[]>`
    select (select string_agg(encode(link_hash, 'escape'), '') from owner_notice) || string_agg(payload::text, '') as stored
    from task`;
  expect(row?.stored ?? "").not.toContain(code);
});

test("after this was not me nobody is at home: the stranger's next sign-in is told again", async () => {
  const { email } = await member();
  await signIn(email, { from: elsewhere });
  expect(await disown((await onlyMail(email)).link)).toMatchObject({ status: "success" });
  const code = await outboxCode(shop.dataDir, email, 2);
  await post("/user/changepassword", { email, code, password: "new horse" });
  await signIn(email, {}, "new horse");
  await signIn(email, { from: elsewhere }, "new horse");
  expect(await told(email)).toEqual(["signed-in-elsewhere", "password-changed", "signed-in-elsewhere"]);
});

test("a new password makes the links of mails before it void", async () => {
  const { email, token } = await member();
  await post("/user/replacetoken", { token });
  const { link } = await onlyMail(email);
  await resetPassword(email, "new horse");
  expect(await disown(link)).toMatchObject({ value: "invalid code" });
  const [, newest] = await mails(email, 2);
  expect(await disown(newest?.link ?? "")).toMatchObject({ status: "success" });
});

test("mail of a kind that only a later release knows is left to it, and keeps no other waiting", async () => {
  const { email, token } = await member();
  await shop.db`
    insert into task (queue, kind, key, due_at)
    values ('mail', 'of-a-later-release', 'example.com', now() - interval '1 hour')`;
  await post("/user/replacetoken", { token });
  await onlyMail(email);
  const [row] = await shop.db<{ tries: number }[]>`select tries from task where kind = 'of-a-later-release'`;
  expect(row).toEqual({ tries: 0 });
  await shop.db`delete from task where kind = 'of-a-later-release'`;
});

test.each([
  [
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15",
    "Safari, macOS",
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/138.0 Mobile/15E148 Safari/604.1",
    "Chrome, iOS",
  ],
  [
    "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Mobile Safari/537.36",
    "Chrome, Android",
  ],
  [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36 Edg/138.0.0.0",
    "Edge, Windows",
  ],
  ["curl/8.5.0", "curl"],
  ["python-requests/2.32.3", "Python"],
  ["call +1 555 010 0000 to keep your account", undefined],
  [undefined, undefined],
])("%j is %j to the owner", (agent, said) => {
  expect(programOf(agent)).toBe(said);
});
