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
