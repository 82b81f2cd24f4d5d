import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BackOffice, openBackOffice } from "../../../test/kit/backoffice.ts";
import { sayTo } from "../../../test/kit/command.ts";
import { numberOf } from "../../../test/kit/numbers.ts";
import { startShop, type TestShop } from "../../../test/kit/shop.ts";

const domain = "desk.test";
const site = "instagram.com";
let shop: TestShop;
let office: BackOffice;

beforeAll(async () => {
  shop = await startShop();
  office = await openBackOffice(shop);
  await office.act("domains/add", { name: domain, price: "0.5", kind: "own" });
  await office.act("stock/add", { domain, count: "100" });
});
afterAll(() => shop.stop());

async function buyer(): Promise<{ token: string; id: string }> {
  const someone = await office.someone();
  await office.act("users/adjust", {
    user: someone.id,
    amount: "2",
    reason: "to try",
    key: `buyer ${someone.id}`,
  });
  return someone;
}

const stepsOf = async (token: string, id: string) =>
  (await shop.get<{ data: Record<string, unknown>[] }>("/email/timeline", { token, id })).data;

describe("a waiting order that support cancels", () => {
  test("gives the buyer the price back, and the buyer and the journal read who did it", async () => {
    const { token, id: userId } = await buyer();
    const { id } = await shop.order(token, { site, domain });
    const asked = { id, reason: "the site writes no letters today" };
    expect(await office.act("orders/cancel", asked)).toMatchObject({ status: "success", price: "0.5" });
    expect(await shop.get("/user/balance", { token })).toMatchObject({ balance: "2.0" });
    expect(await stepsOf(token, id)).toMatchObject([
      { step: "ordered" },
      { step: "canceled", by: "shop" },
      { step: "refunded", amount: "0.5" },
    ]);
    expect(await office.written(`order ${await numberOf(shop.db, id)}`)).toMatchObject([
      {
        by: office.by,
        did: "orders cancel",
        before: { buyer: `user ${userId}`, state: "pending" },
        after: { state: "canceled", price: "0.5" },
        reason: asked.reason,
      },
    ]);
    await office.refusesAll("orders/cancel", [
      [asked, "no waiting order"],
      [{ ...asked, id: "999999" }, "no waiting order"],
      [{ id, reason: " " }, "reason"],
    ]);
  });

  test("is canceled by the command too, and one that the buyer cancels names nobody", async () => {
    const { token } = await buyer();
    const [mine, theirs] = [
      await shop.order(token, { site, domain }),
      await shop.order(token, { site, domain }),
    ];
    const command = ["orders", "cancel", theirs.id, "--reason", "asked by mail"];
    expect(await sayTo(shop.db, command)).toMatchObject({
      status: 0,
      out: `The order ${theirs.id} is canceled; the buyer has 0.5 dollars back.\n`,
    });
    await shop.get("/email/cancel", { token, id: mine.id });
    expect((await stepsOf(token, theirs.id))[1]).toMatchObject({ step: "canceled", by: "shop" });
    expect((await stepsOf(token, mine.id))[1]).not.toHaveProperty("by");
  });
});

describe("an order that its buyer asks about", () => {
  const rowsOf = async (table: string, filters: string) => {
    const answer = await shop.get<{ rows: Record<string, unknown>[] }>(`/api/admin/tables/${table}`, {
      token: office.token,
      filters,
    });
    return answer.rows;
  };
  const stranger = "news@elsewhere.example";

  async function missedOrder() {
    const { token, id: userId } = await buyer();
    const { id, email } = await shop.order(token, { site, domain, subject: "welcome" });
    await shop.send({ to: email, from: stranger, subject: "417417 is not yours", text: "417417" });
    await shop.send({ to: email, from: `security@${site}`, subject: "Your code: 482913", text: "482913" });
    await expect.poll(async () => (await stepsOf(token, id)).length).toBe(3);
    return { token, userId, id, email };
  }

  test("tells the operator who wrote each letter that did not match, and why, and nothing that was in it", async () => {
    const { token, id } = await missedOrder();
    const [, ofBuyer] = await stepsOf(token, id);
    expect(ofBuyer).toMatchObject({ missed: "sender" });
    expect(ofBuyer).not.toHaveProperty("sender");
    const told = await shop.get(`/api/admin/orders/${id}`, { token: office.token });
    expect(told).toMatchObject({
      subject: "welcome",
      data: [
        { step: "ordered" },
        { step: "letter", fits: false, missed: "sender", sender: stranger, subject: "###### is not yours" },
        { step: "letter", fits: false, missed: "subject", subject: "Your code: ######" },
      ],
    });
    expect(JSON.stringify(told["data"])).not.toMatch(/releasable|417417|482913/);
    expect(await shop.get("/api/admin/orders/999999", { token: office.token })).toMatchObject({
      value: "no activation",
    });
  });

  test("leads to the letters of its mailbox, and a letter to the orders that got it", async () => {
    const { id, email, userId } = await missedOrder();
    await shop.send({ to: email, from: `security@${site}`, subject: "welcome 482913", text: "482913" });
    const read = () => rowsOf("arrivals", `mailbox:${email}`);
    await expect
      .poll(async () => (await read()).map(({ fate }) => fate))
      .toEqual(["delivered", "unclaimed", "unclaimed"]);
    const [delivered] = await read();
    expect(delivered).toMatchObject({ mailbox: email, order: id, user: userId, subject: "welcome ######" });
    expect(await rowsOf("arrivals", `letter:${String(delivered?.["letter"])}`)).toEqual([delivered]);
  });

  test("shows its money, and a payment its history and the top-up", async () => {
    const { id, userId } = await missedOrder();
    expect(await rowsOf("money", `order:${id}`)).toMatchObject([
      { user: userId, order: id, kind: "hold", moved: "-0.5", payment: null },
    ]);
    const { token } = await office.someone();
    const { id: payment } = await shop.get("/payments/create", { token, wallet: "trx", amount: "5" });
    await office.act(`payments/confirm/${String(payment)}`, {});
    expect(await rowsOf("money", `payment:${String(payment)}`)).toMatchObject([
      { payment, kind: "topup", moved: "5.0", order: null },
    ]);
    expect(await shop.get("/user/statement", { token })).toMatchObject({
      data: [{ kind: "topup", payment_id: payment }],
    });
    const steps = await rowsOf("payment_steps", `payment:${String(payment)}`);
    expect(steps.map(({ what }) => what)).toEqual(["created", "seen", "confirmed", "credited"]);
  });
});
