// @module-tag slow
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { type BackOffice, openBackOffice } from "../../../test/kit/backoffice.ts";
import { noticesFor } from "../../../test/kit/outbox.ts";
import { startShop, type TestShop } from "../../../test/kit/shop.ts";
import { soon } from "../../../test/kit/soon.ts";
import { vi } from "vitest";
import { adjustmentDays } from "../../contract/limits.ts";
import { balance } from "../ledger/ledger.ts";
import { usd } from "../platform/money.ts";
import { adjust } from "./users.ts";

let shop: TestShop;
let office: BackOffice;
let changes = 0;

beforeAll(async () => {
  shop = await startShop({ ADJUST_LIMIT: "500,2000" });
  office = await openBackOffice(shop);
});
afterAll(() => shop.stop());

/** Somebody with a role of the back office. */
async function colleague(role: string, email?: string): Promise<{ token: string; id: string }> {
  const someone = email === undefined ? await office.someone() : await named(email);
  const granted = await office.act("users/grant", { user: someone.id, role, granted: "1" });
  expect(granted).toMatchObject({ admin: true, office_role: role });
  return someone;
}

async function named(email: string): Promise<{ token: string; id: string }> {
  const token = await shop.member(email);
  const { data } = await shop.get<{ data: { id: string } }>("/user/information", { token });
  return { token, id: data.id };
}

const change = (user: string, amount: string, by?: string, key = `change ${++changes}`) =>
  office.act("users/adjust", { user, amount, reason: "a gift", key }, by);
const decide = (id: unknown, decision: string, by?: string) =>
  office.act("adjustments/decide", { id: String(id), decision, reason: "as agreed" }, by);
const has = async ({ id }: { id: string }) => balance(shop.db, BigInt(id));

test("an adjustment within the limit is made at once; one above it waits for a second person, who agrees", async () => {
  const [first, second, user] = [await colleague("money"), await colleague("money"), await office.someone()];
  expect(await change(user.id, "500", first.token)).toMatchObject({ balance: "500.0", repeated: false });
  const asked = await change(user.id, "500.01", first.token, "a large one");
  expect(asked).toMatchObject({ status: "success", balance: "500.0", waits: expect.any(String) as string });
  expect(await change(user.id, "500.01", first.token, "a large one")).toMatchObject({
    repeated: true,
    waits: asked["waits"],
  });
  expect(await change(user.id, "500.02", first.token, "a large one")).toMatchObject({ value: "key used" });
  expect(await has(user)).toBe(usd("500"));
  expect(await shop.get("/api/admin/overview", { token: second.token })).toMatchObject({
    waiting: { adjustments: 1 },
  });
  const waiting = await shop.get<{ rows: object[] }>("/api/admin/tables/adjustments", {
    token: second.token,
    filters: "state:waits",
  });
  expect(waiting.rows).toMatchObject([
    { id: asked["waits"], user: user.id, change: "500.01", reason: "a gift" },
  ]);
  expect(await decide(asked["waits"], "approve", first.token)).toMatchObject({ value: "second person" });
  expect(await decide(asked["waits"], "approve", second.token)).toMatchObject({
    state: "approved",
    balance: "1000.01",
  });
  expect(await decide(asked["waits"], "approve", second.token)).toMatchObject({ value: "no adjustment" });
  expect(await has(user)).toBe(usd("1000.01"));
  const [approved, ask] = await office.written(`user ${user.id}`);
  expect(ask).toMatchObject({ by: `user ${first.id}`, did: "adjustments ask", reason: "a gift" });
  expect(approved).toMatchObject({
    by: `user ${second.id}`,
    did: "adjustments approve",
    after: { balance: "1000.01", asked: `user ${first.id}`, decision: "as agreed" },
  });
});

test("what one person adds and takes within a day has a limit, however it is divided; another person has an own one", async () => {
  const [person, other, user] = [await colleague("money"), await colleague("money"), await office.someone()];
  for (const amount of ["500", "-400", "500", "400"])
    expect(await change(user.id, amount, person.token)).not.toHaveProperty("waits");
  expect(await change(user.id, "200.01", person.token)).toHaveProperty("waits");
  expect(await change(user.id, "200", person.token)).not.toHaveProperty("waits");
  expect(await change(user.id, "0.01", person.token)).toHaveProperty("waits");
  expect(await change(user.id, "500", other.token)).not.toHaveProperty("waits");
  // A day later.
  await shop.db`update adjustment set asked_at = asked_at - interval '24 hours' where asked_by = ${person.id}`;
  expect(await change(user.id, "500", person.token)).not.toHaveProperty("waits");
});

test("of many at once no more are made than the limit of the day allows", async () => {
  const [person, user] = [await colleague("money"), await office.someone()];
  const all = await Promise.all(Array.from({ length: 8 }, () => change(user.id, "500", person.token)));
  expect(all.filter((answer) => "waits" in answer)).toHaveLength(4);
  expect(await has(user)).toBe(usd("2000"));
});

test("an adjustment is refused by anyone who may decide, also by who asked, and moves nothing", async () => {
  const [person, user] = [await colleague("money"), await office.someone()];
  const { waits } = await change(user.id, "600", person.token);
  expect(await decide(waits, "refuse", person.token)).toMatchObject({ state: "refused", balance: "0.0" });
  expect(await decide(waits, "approve")).toMatchObject({ value: "no adjustment" });
  expect(await has(user)).toBe(0n);
});

test("nobody agrees to an adjustment of their own account, and an old one has expired", async () => {
  const [person, user] = [await colleague("money"), await colleague("money")];
  const { waits } = await change(user.id, "600", person.token);
  expect(await decide(waits, "approve", user.token)).toMatchObject({ value: "yourself" });
  await shop.db`
    update adjustment set asked_at = asked_at - make_interval(days => ${adjustmentDays}) where id = ${String(waits)}::bigint`;
  expect(await decide(waits, "approve")).toMatchObject({ value: "no adjustment" });
  const { rows } = await shop.get<{ rows: object[] }>("/api/admin/tables/adjustments", {
    token: person.token,
    search: String(waits),
  });
  expect(rows).toMatchObject([{ state: "expired" }]);
});

test("an approved adjustment that takes more than there is moves nothing, and waits on", async () => {
  const [person, user] = [await colleague("money"), await office.someone()];
  const { waits } = await change(user.id, "-600", person.token);
  expect(await decide(waits, "approve")).toMatchObject({ value: "more than there is" });
  expect(await decide(waits, "refuse")).toMatchObject({ state: "refused" });
});

test("the operator's command has no limit", async () => {
  const { id } = await office.someone();
  const wanted = { userId: BigInt(id), amount: usd("90000"), reason: "by the command" };
  expect(await adjust(shop.db, wanted, "operator")).toMatchObject({ balance: usd("90000") });
});

test("the owners of the shop, and nobody else, hear of each role that is given or taken and of an adjustment above the limit", async () => {
  const own = await startShop();
  onTestFinished(() => own.stop());
  const there = await openBackOffice(own);
  const told = async (email: string) => (await noticesFor(own.dataDir, email)).map(({ subject }) => subject);
  const someone = await there.someone();
  await there.act("users/grant", { user: someone.id, role: "money", granted: "1" });
  await there.act(
    "users/adjust",
    { user: someone.id, amount: "600", reason: "much", key: "much" },
    someone.token,
  );
  await there.act("users/grant", { user: someone.id, role: "money", granted: "0" });
  await vi.waitFor(
    async () =>
      // Mails that wait together are sent side by side.
      expect((await told("admin@example.com")).toSorted()).toEqual([
        "Postern: A role was given in the back office",
        "Postern: A role was taken away in the back office",
        "Postern: An adjustment waits for a second person",
      ]),
    soon,
  );
  const notices = await noticesFor(own.dataDir, "admin@example.com");
  const textOf = (word: string) => notices.find(({ subject }) => subject.includes(word))?.text;
  const [granted, asked] = [textOf("was given"), textOf("adjustment")];
  expect(granted).toMatch(/admin@example\.com gave member\d+@example\.com this role: money/);
  expect(asked).toMatch(
    /member\d+@example\.com asks to change the account member\d+@example\.com by 600\.0 dollars/,
  );
  const { data } = await own.get<{ data: { email: string } }>("/user/information", { token: someone.token });
  expect(await told(data.email)).toEqual(["Postern: Your account has a new role"]);
});

test("a new role takes the place of another; the older word for an owner is taken; a role that is not there is not taken away", async () => {
  const { id } = await office.someone();
  const grant = (role: string, granted: string) => office.act("users/grant", { user: id, role, granted });
  expect(await grant("support", "1")).toMatchObject({ admin: true, office_role: "support" });
  expect(await grant("editor", "1")).toMatchObject({ admin: true, office_role: "editor" });
  expect(await grant("support", "0")).toMatchObject({ admin: true, office_role: "editor" });
  expect(await grant("admin", "1")).toMatchObject({ admin: true, office_role: "owner" });
  const none = await grant("admin", "0");
  expect(none).toMatchObject({ admin: false });
  expect(none).not.toHaveProperty("office_role");
});

test("nobody takes the shop from an owner whom the settings name, but the operator", async () => {
  const other = await colleague("owner");
  for (const [path, asked] of [
    ["users/grant", { role: "owner", granted: "0" }],
    ["users/grant", { role: "admin", granted: "0" }],
    ["users/grant", { role: "support", granted: "1" }],
    ["users/block", { blocked: "1", reason: "mine now" }],
  ] as const)
    expect([asked, await office.act(path, { user: office.adminId, ...asked }, other.token)]).toMatchObject([
      asked,
      { value: "named in settings" },
    ]);
  expect(await shop.get("/api/admin/check", { token: other.token })).toMatchObject({ status: "success" });
});
