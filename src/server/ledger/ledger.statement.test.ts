import type { ServerResponse } from "node:http";
import { Writable } from "node:stream";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { aboutNothing, filledFrom, fillAccount, openBooks } from "../../../test/kit/books.ts";
import { createDatabase } from "../../../test/kit/database.ts";
import { buyer, topUp } from "../../../test/kit/shelf.ts";
import type { Streamed } from "../platform/http/answer.ts";
import type { Db } from "../platform/db/db.ts";
import { usd, type Usd } from "../platform/money.ts";
import { statementRoutes } from "./ledger.routes.ts";
import * as ledger from "./ledger.ts";

const { db } = await createDatabase();
let queries = 0;
const counted = new Proxy(db, {
  apply: (target, _self, given: Parameters<Db>) => {
    queries += 1;
    return target(...given);
  },
}) as Db;
let url: string;
let busy: bigint;

beforeAll(async () => {
  busy = await buyer(db);
  await fillAccount(db, busy, 20_000);
  const books = await openBooks(counted);
  ({ url } = books);
  return books.close;
});

let keys = 0;
const key = () => `key ${(keys += 1)}`;

interface Told {
  readonly id: string;
  readonly at: number;
  readonly kind: string;
  readonly amount: string;
  readonly balance: string;
  readonly reason?: string;
}

async function page(userId: bigint, ask: Record<string, string> = {}) {
  const response = await fetch(
    `${url}/user/statement?${new URLSearchParams({ token: String(userId), ...ask })}`,
  );
  return (await response.json()) as {
    status: string;
    value?: string;
    data: Told[];
    period?: Record<"opening" | "credit" | "debit" | "closing", string>;
    next?: string;
  };
}

async function pages(userId: bigint, ask: Record<string, string> = {}): Promise<Told[]> {
  const lines: Told[] = [];
  let next: string | undefined;
  do {
    const answer = await page(userId, next === undefined ? ask : { ...ask, before: next });
    lines.push(...answer.data);
    ({ next } = answer);
  } while (next !== undefined);
  return lines;
}

const file = (userId: bigint, ask: Record<string, string> = {}) =>
  fetch(`${url}/user/statement.csv?${new URLSearchParams({ token: String(userId), ...ask })}`);

async function rowsRead(before?: ledger.StatementCursor): Promise<number> {
  return db.begin(async (tx) => {
    const read = async () =>
      (
        await tx<{ count: number }[]>`
          select (seq_tup_read + idx_tup_fetch)::integer as count from pg_stat_xact_user_tables where relname = 'transfer'`
      )[0]?.count ?? 0;
    const begun = await read();
    await ledger.statement(tx, busy, { before });
    return (await read()) - begun;
  });
}

test("a statement shows every movement, signed, the newest first, with what was there after it", async () => {
  const userId = await buyer(db, { balance: "1" });
  await ledger.adjust(db, { userId, amount: usd("-0.25"), reason: "fee", idempotencyKey: key() });
  await ledger.give(db, { userId, amount: usd("0.5"), reason: "welcome", idempotencyKey: key() });
  await ledger.payOut(db, { userId, book: "balance", amount: usd("1.25"), idempotencyKey: key() });
  expect(await page(userId)).toEqual({
    status: "success",
    data: [
      { id: expect.any(String), at: expect.any(Number), kind: "payout", amount: "-1.25", balance: "0.0" },
      expect.objectContaining({ kind: "bonus", amount: "0.5", balance: "1.25", reason: "welcome" }),
      expect.objectContaining({ kind: "adjust", amount: "-0.25", balance: "0.75", reason: "fee" }),
      expect.objectContaining({ kind: "topup", amount: "1.0", balance: "1.0" }),
    ],
  });
});

test("each book has its own statement; one that was never opened is empty", async () => {
  const userId = await buyer(db, { balance: "1" });
  expect(await page(userId, { book: "referrals" })).toEqual({ status: "success", data: [] });
  expect(await (await file(userId, { book: "soft" })).text()).toBe(
    "id,at,kind,amount,balance,activation_id,reason,site,email,payment_id\r\n",
  );
  expect(await page(userId, { book: "all" })).toMatchObject({ status: "error", value: "book" });
  expect(await page(userId, { before: "12" })).toMatchObject({ status: "error", value: "before" });
});

test("exactly the lines that are left make the last page, whatever is moved between two pages", async () => {
  const userId = await buyer(db);
  await fillAccount(db, userId, 100);
  const first = await page(userId);
  expect(first.data).toHaveLength(50);
  await topUp(db, userId, usd("7"));
  const second = await page(userId, { before: first.next ?? "" });
  expect(second.data).toHaveLength(50);
  expect(second.next).toBeUndefined();
  const [oldest] = second.data.toReversed();
  expect(oldest?.balance).toBe(oldest?.amount);
});

test("nobody reads the statement of another account with a cursor of it", async () => {
  const [mine, other] = [await buyer(db, { balance: "1" }), await buyer(db)];
  await fillAccount(db, other, 60);
  const { next = "" } = await page(other);
  const ids = new Set((await pages(other)).map(({ id }) => id));
  const { data } = await page(mine, { before: next });
  expect(data.filter(({ id }) => ids.has(id))).toEqual([]);
});

test("a page far back reads as little as the first", async () => {
  const [middle] = await db<{ id: bigint }[]>`
    select min(t.id) + 100 as id from transfer t join account a on a.id in (t.debit, t.credit) where a.user_id = ${busy}`;
  const first = await rowsRead();
  const far = await rowsRead({ id: middle?.id ?? 0n, balance: usd("1") });
  expect(first).toBeLessThanOrEqual(150);
  expect(far).toBeLessThanOrEqual(150);
  expect(far).toBeGreaterThan(50);
});

test("whatever is moved, the running balances of pages and file are those that adding up gives", async () => {
  const amount = fc.bigInt({ min: -(10n ** 8n), max: 10n ** 9n }).filter((units) => units !== 0n);
  await fc.assert(
    fc.asyncProperty(fc.array(amount, { maxLength: 120 }), async (amounts) => {
      const userId = await buyer(db);
      for (const each of amounts)
        await ledger.adjust(db, { userId, amount: each as Usd, reason: "test", idempotencyKey: key() });
      const lines = await pages(userId);
      let sum = 0n;
      for (const { amount: moved, balance } of lines.toReversed()) {
        sum += usd(moved);
        expect(usd(balance)).toBe(sum);
      }
      expect(await ledger.balance(db, userId)).toBe(sum);
      const rows = (await (await file(userId)).text()).trimEnd().split("\r\n").slice(1);
      expect(rows.map((row) => row.split(",").slice(3, 5))).toEqual(
        lines.map((line) => [line.amount, line.balance]),
      );
    }),
    { numRuns: 12 },
  );
});

test("what was read while money moves is what is read for ever after", async () => {
  const userId = await buyer(db, { balance: "1" });
  const seen: Told[] = [];
  let reads = 0;
  let isMoving = true;
  const reading = (async () => {
    for (; isMoving; reads++) seen.push(...(await page(userId)).data);
  })();
  // Money moves until enough reads, however slow the machine.
  do
    await Promise.all(
      Array.from({ length: 100 }, (_, n) => {
        const amount = usd(n % 3 === 0 ? "-0.02" : "0.01");
        return ledger.adjust(db, { userId, amount, reason: "test", idempotencyKey: key() });
      }),
    );
  while (reads < 5);
  isMoving = false;
  await reading;
  const final = new Map((await pages(userId)).map((line) => [line.id, line]));
  expect(seen.length).toBeGreaterThan(50);
  for (const line of seen) expect(final.get(line.id)).toEqual(line);
});

test("the file is CSV as spreadsheets read it, and no text in it is a formula", async () => {
  const userId = await buyer(db, { balance: "1" });
  for (const reason of ['=HYPERLINK("x")', "+1", "-1", "@a", 'said "no", twice\nand went', "fine"])
    await ledger.give(db, { userId, amount: usd("0.1"), reason, idempotencyKey: key() });
  await ledger.adjust(db, { userId, amount: usd("-0.1"), reason: "", idempotencyKey: key() });
  const response = await file(userId);
  expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8; header=present");
  expect(response.headers.get("content-disposition")).toMatch(
    /^attachment; filename="statement-balance-\d{4}-\d\d-\d\d\.csv"$/,
  );
  const text = await response.text();
  expect(text.split("\r\n")[1]).toMatch(/^\d+,\d{4}-\d\d-\d\dT[\d:.]+Z,adjust,-0\.1,1\.5,,,,,$/);
  for (const cell of [`"'=HYPERLINK(""x"")"`, "'+1", "'-1", "'@a", `"said ""no"", twice\nand went"`, "fine"])
    expect(text).toContain(`,${cell},,,\r\n`);
});

test("a period has the lines of its time, and what came and left lies between its balances", async () => {
  const userId = await buyer(db);
  await fillAccount(db, userId, 240);
  const all = await pages(userId);
  const unitsOf = (lines: readonly Told[], isFitting: (amount: bigint) => boolean) =>
    lines
      .map(({ amount }) => usd(amount) as bigint)
      .reduce((sum, one) => (isFitting(one) ? sum + one : sum), 0n);
  const minute = fc.integer({ min: -2, max: 243 });
  await fc.assert(
    fc.asyncProperty(fc.option(minute), fc.option(minute), fc.boolean(), async (from, to, isOfOneKind) => {
      const ask = {
        ...(from !== null && { since: String(filledFrom + from * 60) }),
        ...(to !== null && { until: String(filledFrom + to * 60) }),
      };
      const kinds: Record<string, string> = isOfOneKind ? { kinds: "hold,bonus" } : {};
      const within = all.filter(
        ({ at }) => at >= filledFrom + (from ?? -9) * 60 && at < filledFrom + (to ?? 999) * 60,
      );
      const wanted = within.filter(({ kind }) => !isOfOneKind || kind === "hold");
      expect(await pages(userId, { ...ask, ...kinds })).toEqual(wanted);
      const { period } = await page(userId, { ...ask, ...kinds });
      if (from === null && to === null) expect(period).toBeUndefined();
      else {
        const { opening = "", credit = "", debit = "", closing = "" } = period ?? {};
        expect(usd(credit)).toBe(unitsOf(within, (amount) => amount > 0n));
        expect(usd(debit)).toBe(-unitsOf(within, (amount) => amount < 0n));
        expect(usd(closing) as bigint).toBe(usd(opening) + usd(credit) - usd(debit));
        const [newest] = within;
        if (newest) expect(closing).toBe(newest.balance);
      }
      const rows = (await (await file(userId, { ...ask, ...kinds })).text()).trimEnd().split("\r\n").slice(1);
      expect(rows.map((row) => row.split(",")[0])).toEqual(wanted.map(({ id }) => id));
    }),
    {
      numRuns: 25,
      examples: [
        [0, 240, false],
        [5, 5, false],
        [null, null, true],
      ],
    },
  );
});

test("a rare kind is found however far back, and no page reads all to find it", async () => {
  const kinds = ["bonus" as const];
  const userId = await buyer(db);
  await ledger.give(db, { userId, amount: usd("2"), reason: "welcome", idempotencyKey: key() });
  await fillAccount(db, userId, 20_100);
  const read: number[] = [];
  const found: (readonly ledger.StatementLine[])[] = [];
  let before: ledger.StatementCursor | undefined;
  do {
    const { lines, next } = await ledger.statement(db, userId, { kinds, before });
    found.push(lines);
    read.push(lines.length);
    before = next;
  } while (before);
  expect(read).toEqual([0, 0, 1]);
  expect(found[2]?.[0]).toMatchObject({ kind: "bonus", amount: usd("2"), balance: usd("2") });
});

class Reader extends Writable {
  readonly #look: (taken: number) => void;
  #taken = 0;
  constructor(look: (taken: number) => void) {
    super({ highWaterMark: 1 });
    this.#look = look;
  }
  override _write(_piece: unknown, _encoding: unknown, done: () => void): void {
    this.#look(++this.#taken);
    setImmediate(done);
  }
  setTimeout(): this {
    return this;
  }
}

async function fileTo(reader: Reader, gone = new AbortController().signal): Promise<void> {
  const route = statementRoutes({ db: counted, aboutLines: aboutNothing }).find(
    ({ endpoint }) => endpoint.carried === "csv",
  );
  const caller = { userId: busy, active: true, admin: false, investor: false, token: "" };
  const facts = {
    address: "",
    isByUntrustedProxy: false,
    idempotencyKey: undefined,
    userAgent: undefined,
    file: undefined,
    cookie: () => undefined,
    isValid: async () => true,
    gone,
  };
  const streamed = (await route?.handle({}, caller, facts)) as Streamed;
  await streamed.write(reader as unknown as ServerResponse);
}

test("no page is read before its client has taken those before it", async () => {
  const before = queries;
  let ahead = 0;
  let taken = 0;
  await fileTo(
    new Reader((pieces) => {
      taken = pieces;
      ahead = Math.max(ahead, queries - before - pieces);
    }),
  );
  expect(taken).toBe(21);
  expect(ahead).toBeLessThanOrEqual(1);
});

test("a client that is gone ends the reading", async () => {
  const before = queries;
  const gone = new AbortController();
  const reader = new Reader((pieces) => {
    if (pieces === 5) gone.abort();
  });
  await expect(fileTo(reader, gone.signal)).rejects.toThrow();
  expect(queries - before).toBeLessThanOrEqual(6);
  expect(reader.destroyed).toBe(true);
});
