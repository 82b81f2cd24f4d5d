// @module-tag slow
import { randomBytes } from "node:crypto";
import { connect } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { audit } from "../orders/orders.ts";
import { openInvestors } from "./investors.ts";
import * as admin from "./investors.admin.ts";
import { holdToDescription } from "../../../test/kit/described.ts";
import { encodedIn } from "../../../test/kit/raw.ts";
import { sayTo } from "../../../test/kit/command.ts";
import { type Answer, startShop, type TestShop } from "../../../test/kit/shop.ts";
import { soon } from "../../../test/kit/soon.ts";

let shop: TestShop;
let token: string;

beforeAll(async () => {
  shop = await startShop();
  token = await shop.member("investor@example.com");
  await shop.db`update users set is_investor = true where email = 'investor@example.com'`;
  await shop.db`insert into mail_domain (name, price, kind, imap_host, imap_port, imap_tls)
    values ('hosted.example', 100000, 'hosted', 'localhost', 1, 'none'), ('other.example', 100000, 'hosted', 'localhost', 1, 'none')`;
  await shop.db`insert into mail_domain (name, price, kind) values ('homeless.example', 100000, 'hosted')`;
});
afterAll(() => shop.stop());

const upload = async (body: string | Uint8Array, headers: Record<string, string> = {}): Promise<Answer> => {
  const given = { token, "content-type": "text/plain", ...headers };
  const response = await fetch(`${shop.url}/investor/upload`, {
    method: "POST",
    headers: given,
    body: body as BodyInit,
  });
  const answer = (await response.json()) as Answer;
  await holdToDescription("POST /investor/upload", response.status, answer);
  return answer;
};
let made = 0;
const lines = (count: number, domain = "hosted.example") =>
  Array.from({ length: count }, () => `Box.${++made}@${domain}:pass:word ${made}`);
const counts = async () => {
  const [row] =
    await shop.db`select (select count(*)::integer from mailbox m join mail_domain d on d.id = m.domain_id where d.name like '%.example') as mailboxes,
    (select count(*)::integer from investor_batch) as batches, (select count(*)::integer from batch where investor_id is not null) as owned`;
  return row;
};
const holds = async () => {
  const found = await audit(shop.db);
  return found.filter(({ bad }) => bad.length > 0);
};

test("lines are judged one by one, whatever ends them, and only counts are told", async () => {
  const good = lines(25);
  const [twice = ""] = good;
  const file = Buffer.concat([
    Buffer.from("\uFEFF"),
    Buffer.from(`${good.slice(0, 10).join("\r\n")}\r\n\r\n  \n${good.slice(10).join("\r")}\n`),
    Buffer.from(
      `${twice.toUpperCase()}\nno password@hosted.example:\nbox@hosted.example\na b@hosted.example:x\n`,
    ),
    Buffer.from("x@unknown.example:x\nx@homeless.example:x\nno-domain:x\n"),
    Buffer.from([...Buffer.from("broken@hosted.example:"), 0xff, 0xfe, 10]),
    Buffer.from(
      `zero@hosted.example:a\0b\n${"long".repeat(20)}@hosted.example:x\nlast@hosted.example:${"p".repeat(300)}`,
    ),
  ]);
  const answer = await upload(file);
  expect(answer).toEqual({
    status: "success",
    id_batch: expect.stringMatching(/^\d+$/),
    accepted: 25,
    rejected: { malformed: 8, unknown_domain: 2, duplicate_in_file: 1, duplicate: 0 },
    domains: ["hosted.example"],
    restricted: [],
  });
  const quantity = await shop.get("/email/quantity", { token, site: "instagram.com" });
  expect(JSON.stringify(quantity)).not.toMatch(/"hosted\.example":\{"count":[1-9]/);
  const rows =
    await shop.db`select local_part, encode(secret, 'escape') as secret from mailbox where local_part like 'box.%'`;
  expect(rows).toHaveLength(25);
  for (const { local_part, secret } of rows) {
    expect(local_part).toMatch(/^box\.\d+$/);
    expect(secret).not.toContain("pass");
  }
  expect(await holds()).toEqual([]);
});

test("what an earlier batch brought is a duplicate, whatever its password", async () => {
  const first = lines(30);
  await upload(first.join("\n"));
  const again = first.slice(0, 12).map((line) => line.replace(/:.*/, ":another"));
  const answer = await upload([...again, ...lines(20)].join("\n"));
  expect(answer).toMatchObject({ accepted: 20, rejected: { duplicate: 12, duplicate_in_file: 0 } });
  expect(await holds()).toEqual([]);
});

test("few that are brought to many are looked up one by one, and found as well", async () => {
  const many = lines(800, "other.example");
  await upload(many.join("\n"));
  const file = [...lines(30, "other.example"), ...many.slice(100, 110)];
  const answer = await upload(file.join("\n"));
  expect(answer).toMatchObject({
    status: "success",
    accepted: 30,
    rejected: { duplicate: 10, duplicate_in_file: 0 },
  });
});

test("a file of other columns is answered with that, nothing of it is kept, and the mended one is taken", async () => {
  const before = await counts();
  const logins = Array.from({ length: 30 }, () => `columns.${++made}@hosted.example`);
  const of = (line: (login: string) => string) => logins.map(line).join("\n");
  for (const wrong of [
    of((login) => `${login}:secret:recovery@mail.example:2024`),
    of((login) => `${login};secret`),
    of((login) => `${login}\tsecret`),
    of((login) => `${login}|secret|recovery@mail.example`),
  ])
    expect(await upload(wrong)).toMatchObject({ status: "error", value: "columns" });
  expect(await counts()).toEqual(before);
  const mended = await upload(of((login) => `${login}:secret`));
  expect(mended).toMatchObject({ status: "success", accepted: 30, rejected: { duplicate: 0 } });
});

test("too few, nobody, no investor, no text, and sites that are none: nothing is kept", async () => {
  const before = await counts();
  expect(await upload(lines(19).join("\n"))).toMatchObject({ value: "too few mailboxes", accepted: 19 });
  expect(await upload("")).toMatchObject({ value: "too few mailboxes", accepted: 0 });
  expect(await upload(lines(30).join("\n"), { token: "x" })).toMatchObject({ value: "token" });
  const member = await shop.member();
  expect(await upload(lines(30).join("\n"), { token: member })).toMatchObject({ value: "not an investor" });
  expect(await shop.get("/investor/packsinfo", { token: member })).toMatchObject({
    value: "not an investor",
  });
  expect(await shop.get("/investor/stats", { token: member })).toMatchObject({ value: "not an investor" });
  expect(await upload(lines(30).join("\n"), { "content-type": "text/csv" })).toMatchObject({ value: "type" });
  const packed = gzipSync(lines(30).join("\n"));
  expect(await upload(packed, { "content-encoding": "gzip" })).toMatchObject({ value: "type" });
  const wrong = await upload(lines(30).join("\n"), { sites: "facebook.com, not a site" });
  expect(wrong).toMatchObject({ value: "sites", invalid: ["not a site"] });
  expect(await counts()).toEqual(before);
});

test("an address of an own domain receives when its batch is on sale, and not while it is held", async () => {
  await shop.db`insert into mail_domain (name, price) values ('own.example', 100000)`;
  await shop.db`select pg_notify('catalog', '')`;
  const file = lines(20, "own.example");
  const answer = await upload(file.join("\n"));
  const to = (file[0] ?? "").split(":")[0] ?? "";
  const send = () => shop.send({ to, from: "news@site.example", subject: "Hello", text: "Hello" });
  // Until reception knows the domain, it refuses to relay.
  await vi.waitFor(() => expect(send()).rejects.toThrow(/5\.1\.1/), soon);
  const decided = { by: "test", reason: undefined, at: new Date() };
  await vi.waitFor(
    async () => expect(await admin.approve(shop.db, Number(answer["id_batch"]), decided)).toBe("active"),
    soon,
  );
  await send();
});

test("another file under a used key is refused, and the same one is not", async () => {
  const [first, second] = [lines(20).join("\n"), lines(20).join("\n")];
  const headers = { "idempotency-key": "file-of-two" };
  const { id_batch } = await upload(first, headers);
  expect(await upload(second, headers)).toMatchObject({ status: "error", value: "key used" });
  expect(await upload(`${first}\n`, headers)).toMatchObject({ value: "key used" });
  expect(await upload(first, headers)).toMatchObject({ status: "success", id_batch });
});

test("of a mailbox that stands twice in a file the last line counts", async () => {
  const file = lines(22);
  const [name = ""] = (file[3] ?? "").split(":");
  await upload([...file, `${name}:the right one`, ...lines(3)].join("\n"));
  const sealedBytes = async (of: string) => {
    const local = of.split("@")[0]?.toLowerCase() ?? "";
    const [row] = await shop.db<
      { bytes: number }[]
    >`select length(secret) as bytes from mailbox where local_part = ${local}`;
    return row?.bytes ?? 0;
  };
  // A sealed password is longer than the plain one by a fixed length.
  const [other = "", password = ""] = /^([^:]*):(.*)$/.exec(file[4] ?? "")?.slice(1) ?? [];
  expect((await sealedBytes(name)) - (await sealedBytes(other))).toBe(
    "the right one".length - password.length,
  );
  expect(password.length).not.toBe("the right one".length);
});

test("a repeat under the same key is the same batch", async () => {
  const file = lines(20).join("\n");
  const headers = { "idempotency-key": "file-1" };
  const all = await Promise.all([upload(file, headers), upload(file, headers), upload(file, headers)]);
  const again = await upload(file, headers);
  expect(again).toMatchObject({ status: "success", accepted: 20 });
  for (const answer of all) expect(answer).toEqual(again);
});

test("an account brings one file at a time, and keeps no other account from bringing one", async () => {
  const others = ["second@example.com", "third@example.com"];
  const tokens = await Promise.all(others.map((email) => shop.member(email)));
  await shop.db`update users set is_investor = true where email = any (${others})`;
  const staged = async () =>
    (await shop.db`select 1 from pg_class where relname = 'brought' and relpersistence = 't'`).length;
  const begin = async (of: string, count: number) => {
    const slow = speak(["content-length: 100000"], `${lines(50).join("\n")}\n`, of);
    await vi.waitFor(async () => expect(await staged()).toBe(count), soon);
    return slow;
  };
  const slow = [await begin(token, 1), await begin(tokens[0]!, 2)];
  for (const headers of [{}, { "idempotency-key": "another" }] as Record<string, string>[])
    expect(await upload(lines(20).join("\n"), headers)).toMatchObject({
      status: "error",
      value: "upload under way",
    });
  expect(await upload(lines(20).join("\n"), { token: tokens[1]! })).toMatchObject({ status: "success" });
  for (const { socket } of slow) socket.destroy();
  await vi.waitFor(async () => expect(await staged()).toBe(0), soon);
  expect(await upload(lines(20).join("\n"))).toMatchObject({ status: "success" });
});

test("a file that is sent twice at once is read once; when the first breaks off the second is to be sent again", async () => {
  const [row] = await shop.db<{ id: bigint }[]>`select id from users where email = 'investor@example.com'`;
  const investors = openInvestors({
    db: shop.db,
    secretKey: randomBytes(32),
    mailboxes: { check: async () => ({ seen: "opened" }), refuse: async () => undefined },
  });
  onTestFinished(() => investors.close());
  const bring = (key: string, file: AsyncIterable<Uint8Array>) =>
    investors.upload({ userId: row!.id, sites: [], file, key, at: new Date(), isValid: async () => true });
  const gate = Promise.withResolvers<void>();
  const text = Buffer.from(lines(20).join("\n"));
  const held = (async function* () {
    await gate.promise;
    yield text;
  })();
  let passedBy = 0;
  const again = (async function* () {
    passedBy++;
    yield text;
  })();
  const both = [bring("twice", held), bring("twice", again)];
  gate.resolve();
  const [first, second] = await Promise.all(both);
  expect(first).toMatchObject({ accepted: 20 });
  expect(second).toEqual(first);
  expect(passedBy).toBe(1);
  const broken = (async function* (): AsyncGenerator<Uint8Array> {
    await Promise.reject(new Error("gone"));
    yield text;
  })();
  const cut = bring("cut", broken);
  const follower = bring("cut", again);
  await expect(cut).rejects.toThrow("gone");
  expect(await follower).toBe("busy");
});

function speak(headers: string[], body: string, of = token) {
  const { port } = new URL(shop.url);
  const socket = connect(Number(port), "127.0.0.1");
  let heard = "";
  socket.on("data", (data) => (heard += String(data))).on("error", () => undefined);
  const head = [
    "POST /investor/upload HTTP/1.1",
    "host: shop",
    `token: ${of}`,
    "content-type: text/plain",
    ...headers,
  ];
  socket.write(`${head.join("\r\n")}\r\n\r\n${body}`);
  return { socket, heard: () => heard };
}

test("a file that is too long is refused before it comes, and while it comes", async () => {
  const { socket, heard } = speak([`content-length: ${150 * 1024 * 1024 + 1}`], "");
  await vi.waitFor(() => expect(heard()).toContain('"value":"size"'), soon);
  expect(heard()).toContain("HTTP/1.1 413");
  socket.destroy();

  const before = await counts();
  // Long lines: 150 MB of short ones would be checked one by one.
  const piece = Buffer.from(`${"x".repeat(1024 * 1024 - 1)}\n`);
  const endless = new ReadableStream({
    pull: (controller) => controller.enqueue(piece),
  });
  const headers = { token, "content-type": "text/plain" };
  const response = await fetch(`${shop.url}/investor/upload`, {
    method: "POST",
    headers,
    body: endless,
    duplex: "half",
  } as RequestInit);
  expect(response.status).toBe(413);
  expect(await counts()).toEqual(before);
});

test("a connection that breaks leaves nothing, neither rows nor a place that stays taken", async () => {
  const before = await counts();
  for (let turn = 0; turn < 3; turn++) {
    const { socket } = speak(["content-length: 100000"], `${lines(50).join("\n")}\n`);
    await vi.waitFor(async () => {
      const staged = await shop.db`select 1 from pg_class where relname = 'brought' and relpersistence = 't'`;
      expect(staged).toHaveLength(1);
    }, soon);
    socket.destroy();
    await vi.waitFor(
      async () => expect(await shop.db`select 1 from pg_class where relname = 'brought'`).toHaveLength(0),
      soon,
    );
  }
  expect(await counts()).toEqual(before);
  expect(await upload(lines(20).join("\n"))).toMatchObject({ status: "success" });
});

test("batches are told by pages, the newest first, with what they must not serve", async () => {
  const { id_batch } = await upload(lines(20).join("\n"), {
    sites: "https://www.Facebook.com, x.com,facebook.com",
  });
  const all = await shop.get("/investor/packsinfo", { token, limit: 100 });
  const total = Number(all["total"]);
  expect(all[0]).toMatchObject({
    id_batch,
    count: 20,
    alive: 0,
    amount: "0.0",
    percent: 0.3,
    restricted: ["facebook.com", "x.com"],
  });
  expect(all["next_offset"]).toBeNull();
  const page = await shop.get("/investor/packsinfo", { token, limit: 2, offset: 1 });
  // By ids alone: the checks may change the rest meanwhile.
  const ids = [0, 1].map((place) => ({ id_batch: (all[place + 1] as Answer)["id_batch"] }));
  expect(page).toMatchObject({ 0: ids[0], 1: ids[1], next_offset: 3, total });
  expect(page[2]).toBeUndefined();
  const stats = await shop.get("/investor/stats", { token });
  expect(stats).toEqual({
    status: "success",
    total_amount: "0.0",
    today_amount: "0.0",
    need_to_pay: "0.0",
    last_payment_date: null,
    held_amount: "0.0",
    held_operator: "0.0",
    held_next: null,
    percent: 0.3,
    accepted_domains: expect.arrayContaining(["hosted.example", "other.example"]),
    days: [],
  });
  // No server of it is registered.
  expect(stats["accepted_domains"]).not.toContain("homeless.example");
});

test("sites of other scripts may stand in the header as programs write them, in UTF-8", async () => {
  const sites = Buffer.from("банк.рф").toString("latin1");
  const { id_batch, restricted } = await upload(lines(20).join("\n"), { sites });
  expect(restricted).toEqual(["xn--80ab2al.xn--p1ai"]);
  const page = await shop.get("/investor/packsinfo", { token, limit: 1 });
  expect(page[0]).toMatchObject({ id_batch, restricted: ["xn--80ab2al.xn--p1ai"] });
  expect(await upload(lines(20).join("\n"), { sites: "caf\u00e9 \u00ff" })).toMatchObject({ value: "sites" });
});

test("a file whose account is blocked while it comes is refused at its end, and nothing of it is kept", async () => {
  const email = "leaving@example.com";
  const leaving = await shop.member(email);
  await shop.db`update users set is_investor = true where email = ${email}`;
  const before = await counts();
  const file = async function* () {
    yield Buffer.from(`${lines(25).join("\n")}\n`);
    expect(await sayTo(shop.db, ["users", "block", email])).toMatchObject({ status: 0 });
    await vi.waitFor(
      async () =>
        expect(await shop.get("/user/balance", { token: leaving })).toMatchObject({ value: "token" }),
      soon,
    );
    yield Buffer.from(lines(25).join("\n"));
  };
  const headers = { token: leaving, "content-type": "text/plain" };
  const init = { method: "POST", headers, body: file(), duplex: "half" };
  const response = await fetch(`${shop.url}/investor/upload`, init as unknown as RequestInit);
  expect(await response.json()).toMatchObject({ status: "error", value: "token" });
  expect(await counts()).toEqual(before);
});

test.each(["utf-16le", "utf-16be", "utf-8"])(
  "a file in %s is read, and blanks around logins and passwords are none of theirs",
  async (encoding) => {
    const good = lines(25).map((line) => ` ${line.replace(":", " : ")}\t`);
    const file = `\ufeff${good.join("\r\n")}\r\nbroken\ufffd@hosted.example:x\r\nx@hosted.example:\ufffd\r\n`;
    expect(await upload(encodedIn(encoding, file))).toMatchObject({
      accepted: 25,
      rejected: { malformed: 2, unknown_domain: 0, duplicate_in_file: 0, duplicate: 0 },
    });
  },
);
