import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BackOffice, openBackOffice } from "../../../test/kit/backoffice.ts";
import { startShop, type TestShop } from "../../../test/kit/shop.ts";

let shop: TestShop;
let office: BackOffice;

beforeAll(async () => {
  shop = await startShop();
  office = await openBackOffice(shop);
});
afterAll(() => shop.stop());

describe("accounts", () => {
  test("a blocked account's tokens open nothing from the answer on, and open again", async () => {
    const { token, id } = await office.someone();
    const { token: limited } = await shop.post("/user/tokens/add", { token, name: "program" });
    const asked = { user: id, blocked: "1", reason: "a stolen card" };
    expect(await office.act("users/block", asked)).toMatchObject({ status: "success", blocked: true });
    for (const each of [token, String(limited)])
      expect(await shop.get("/user/balance", { token: each })).toMatchObject({ value: "token" });
    await office.act("users/block", { user: id, blocked: "0", reason: "it was his" });
    expect(await shop.get("/user/balance", { token })).toMatchObject({ status: "success" });
    const { by } = office;
    expect(await office.written(`user ${id}`)).toMatchObject([
      {
        by,
        did: "users unblock",
        before: { blocked: true },
        after: { blocked: false },
        reason: "it was his",
      },
      {
        by,
        did: "users block",
        before: { blocked: false },
        after: { blocked: true },
        reason: "a stolen card",
      },
    ]);
    await office.refusesAll("users/block", [
      [{ user: office.adminId, blocked: "1", reason: "x" }, "yourself"],
      [{ user: "999999", blocked: "1", reason: "x" }, "no user"],
      [{ user: id, blocked: "1" }, "reason"],
    ]);
  });

  test("a balance goes up and down with a reason that its owner reads, once under one key", async () => {
    const { token, id } = await office.someone();
    const asked = { user: id, amount: "+2.5", reason: "goodwill", key: `first ${id}` };
    expect(await office.act("users/adjust", asked)).toMatchObject({ balance: "2.5", repeated: false });
    expect(await office.act("users/adjust", asked)).toMatchObject({ balance: "2.5", repeated: true });
    const less = { user: id, amount: "-1", reason: "too much", key: `second ${id}` };
    expect(await office.act("users/adjust", less)).toMatchObject({ balance: "1.5", repeated: false });
    expect((await shop.get("/user/statement", { token }))["data"]).toMatchObject([
      { kind: "adjust", amount: "-1.0", balance: "1.5", reason: "too much" },
      { kind: "adjust", amount: "2.5", balance: "2.5", reason: "goodwill" },
    ]);
    const theirs = await shop.get("/user/statement", { token });
    expect(await shop.get(`/api/admin/users/${id}/statement`, { token: office.token })).toEqual(theirs);
    const { by } = office;
    expect(await office.written(`user ${id}`)).toMatchObject([
      { by, did: "users credit", before: { balance: "2.5" }, after: { balance: "1.5" }, reason: "too much" },
      { by, did: "users credit", before: { balance: "0.0" }, after: { balance: "2.5" }, reason: "goodwill" },
    ]);
    const other = await office.someone();
    await office.refusesAll("users/adjust", [
      [{ ...less, key: `third ${id}`, amount: "-1.50000001" }, "more than there is"],
      [{ ...asked, amount: "2.6" }, "key used"],
      [{ ...asked, user: other.id }, "key used"],
      [{ ...asked, user: "999999" }, "no user"],
      [{ ...asked, amount: "0" }, "change"],
      [{ ...asked, amount: "1e3" }, "change"],
      [{ ...asked, key: "" }, "key"],
      [{ ...asked, reason: " " }, "reason"],
    ]);
    expect(await shop.get("/user/balance", { token: other.token })).toMatchObject({ balance: "0.0" });
  });

  test("twenty of one change at once make it once", async () => {
    const { token, id } = await office.someone();
    const asked = { user: id, amount: "1", reason: "goodwill", key: `many ${id}` };
    const all = await Promise.all(Array.from({ length: 20 }, () => office.act("users/adjust", asked)));
    expect(all.filter(({ repeated }) => repeated === false)).toHaveLength(1);
    expect(await shop.get("/user/balance", { token })).toMatchObject({ balance: "1.0" });
    expect(await office.written(`user ${id}`)).toHaveLength(1);
  });

  test("a role is granted and revoked at once, but no administrator revokes their own", async () => {
    const { token, id } = await office.someone();
    const check = () => shop.get("/api/admin/check", { token });
    expect(await check()).toMatchObject({ value: "no access" });
    expect(await office.act("users/grant", { user: id, role: "admin", granted: "1" })).toMatchObject({
      admin: true,
      investor: false,
    });
    expect(await check()).toMatchObject({ status: "success" });
    await office.act("users/grant", { user: id, role: "investor", granted: "1" });
    expect(await office.act("users/grant", { user: id, role: "admin", granted: "0" })).toMatchObject({
      admin: false,
      investor: true,
    });
    expect(await check()).toMatchObject({ value: "no access" });
    const { by } = office;
    const both = { admin: true, investor: true };
    expect(await office.written(`user ${id}`)).toMatchObject([
      { by, did: "users revoke", before: both, after: { admin: false, investor: true } },
      { by, did: "users grant", before: { admin: true, investor: false }, after: both },
      { by, did: "users grant", before: { admin: false, investor: false }, after: { admin: true } },
    ]);
    await office.refusesAll("users/grant", [
      [{ user: office.adminId, role: "admin", granted: "0" }, "yourself"],
      [{ user: "999999", role: "admin", granted: "1" }, "no user"],
      [{ user: id, role: "king", granted: "1" }, "role"],
      [{ user: id, role: "admin", granted: "maybe" }, "granted"],
    ]);
  });

  test("of two administrators who take each other's role, or block each other, at the same moment one stays", async () => {
    const ways: ((user: string) => [string, Record<string, string>])[] = [
      (user) => ["users/grant", { user, role: "admin", granted: "0" }],
      (user) => ["users/block", { user, blocked: "1", reason: "a quarrel" }],
    ];
    for (const way of ways) {
      const [one, two] = [await office.someone(), await office.someone()];
      for (const { id } of [one, two])
        await office.act("users/grant", { user: id, role: "admin", granted: "1" });
      const answers = await Promise.all([
        office.act(...way(two.id), one.token),
        office.act(...way(one.id), two.token),
      ]);
      expect(answers.filter(({ status }) => status === "success")).toHaveLength(1);
      const left = await Promise.all([one, two].map(({ token }) => shop.get("/api/admin/check", { token })));
      expect(left.filter(({ status }) => status === "success")).toHaveLength(1);
      for (const { id } of [one, two]) {
        await office.act("users/block", { user: id, blocked: "0", reason: "over" });
        await office.act("users/grant", { user: id, role: "admin", granted: "0" });
      }
    }
  });

  test("an investor's share is set in percent", async () => {
    const { id } = await office.someone();
    expect(await office.act("users/share", { user: id, percent: "42.5" })).toMatchObject({
      percent: 42.5,
      before: 30,
    });
    expect(await office.act("users/share", { user: id, percent: "0" })).toMatchObject({
      percent: 0,
      before: 42.5,
    });
    expect(await office.written(`user ${id}`)).toMatchObject([
      { by: office.by, did: "users share", before: { sharePpm: 425_000 }, after: { sharePpm: 0 } },
      { did: "users share", before: { sharePpm: 300_000 }, after: { sharePpm: 425_000 } },
    ]);
    await office.refusesAll("users/share", [
      [{ user: id, percent: "90.1" }, "percent"],
      [{ user: id, percent: "1.23456" }, "percent"],
      [{ user: "999999", percent: "1" }, "no user"],
    ]);
  });
});

describe("investors", () => {
  async function batchUnderReview(): Promise<{ id: string; batch: string }> {
    const { token, id } = await office.someone();
    await office.act("users/grant", { user: id, role: "investor", granted: "1" });
    const body = Array.from({ length: 20 }, (_, place) => `box${id}x${place}@letters.test:secret`).join("\n");
    const response = await fetch(`${shop.url}/investor/upload`, {
      method: "POST",
      headers: { token, "content-type": "text/plain" },
      body,
    });
    const { id_batch: batch } = (await response.json()) as { id_batch: string };
    await shop.db`update investor_batch set state = 'review', reason = 'own_domain' where batch_id = ${Number(batch)}`;
    return { id, batch };
  }

  test("a batch under review goes on sale or is refused, once", async () => {
    const [good, bad] = [await batchUnderReview(), await batchUnderReview()];
    const yes = { batch: good.batch, decision: "approve", reason: "he showed them to us" };
    expect(await office.act("batches/decide", yes)).toMatchObject({ state: "active" });
    const no = { batch: bad.batch, decision: "refuse", reason: "not his" };
    expect(await office.act("batches/decide", no)).toMatchObject({ state: "refused" });
    const { by } = office;
    expect(await office.written(`batch ${good.batch}`)).toMatchObject([
      {
        by,
        did: "batches approve",
        before: { state: "review" },
        after: { state: "active" },
        reason: yes.reason,
      },
    ]);
    expect(await office.written(`batch ${bad.batch}`)).toMatchObject([
      {
        by,
        did: "batches refuse",
        before: { state: "review" },
        after: { state: "refused" },
        reason: "not his",
      },
    ]);
    await office.refusesAll("batches/decide", [
      [yes, "not under review"],
      [no, "batch decided"],
      [{ ...no, batch: good.batch }, "batch decided"],
      [{ ...no, batch: "999999" }, "no batch"],
      [{ ...yes, batch: "999999" }, "no batch"],
      [{ ...no, decision: "release" }, "decision"],
      [{ ...no, reason: "" }, "reason"],
    ]);
  });

  test("an investor uploads again after a refused batch is reviewed", async () => {
    const { id, batch } = await batchUnderReview();
    await shop.db`insert into investor_flag (user_id, batch_id, flagged_at) values (${id}, ${Number(batch)}, now())`;
    const asked = { user: id, reason: "a mistake" };
    expect(await office.act("batches/seen", asked)).toMatchObject({ batches: 1 });
    expect((await office.written(`user ${id}`))[0]).toMatchObject({
      by: office.by,
      did: "batches seen",
      after: { batches: [Number(batch)] },
      reason: "a mistake",
    });
    await office.refusesAll("batches/seen", [
      [asked, "nothing to see"],
      [{ ...asked, user: "999999" }, "no user"],
    ]);
  });

  test("what an investor has earned is paid out, once under one key", async () => {
    const { id } = await office.someone();
    await shop.db`select open_accounts(array[${id}::bigint], array['investor'])`;
    await shop.db`update account set balance = 500000000 where user_id = ${id} and book = 'investor'`;
    const asked = { partner: id, way: "investor", amount: "3", key: `paid ${id}` };
    expect(await office.act("partners/payout", asked)).toMatchObject({ to_withdraw: "2.0", repeated: false });
    expect(await office.act("partners/payout", asked)).toMatchObject({ to_withdraw: "2.0", repeated: true });
    expect(await office.written(`user ${id}`)).toMatchObject([
      { did: "partners payout", before: { investor: "5.0" }, after: { investor: "2.0", paid: "3.0" } },
    ]);
    await office.refusesAll("partners/payout", [
      [{ ...asked, amount: "2" }, "key used"],
      [{ ...asked, key: "another", amount: "2.1" }, "more than due"],
    ]);
  });
});
