// The money of a demonstration's life: top-ups in all states, payouts, a refund by hand.
import { buyers } from "./life.cast.ts";
import { by, granted, personOf, type Stage } from "./life.stock.ts";
import * as ledger from "./ledger/ledger.ts";
import { type Payments, payInSandbox } from "./payments/payments.ts";
import { secondsAfter } from "./platform/clock.ts";
import { attempt } from "./platform/db/db.ts";
import { type Usd, usd } from "./platform/money.ts";
import * as users from "./users/users.ts";

const day = 24 * 3600;
const minute = 60;
const coins = ["usdttrc20", "ltc", "trx", "ton", "usdtbep20", "eth"] as const;
const cent = usd("0.01");

interface TopUp {
  readonly userId: bigint;
  readonly dollars: string;
  readonly currency: (typeof coins)[number];
  readonly asked: Date;
}

/** Puts the money on the timeline. The answer counts the payments that were asked for. */
export function addMoney(stage: Stage): () => number {
  const { at, timeline, payments, people } = stage;
  const nora = personOf(stage, "buyer");
  const ago = (seconds: number) => secondsAfter(at, -seconds);
  let count = 0;
  const topUp = (
    asked: TopUp,
    ...then: { after: number; act: (id: bigint, asked: TopUp) => Promise<unknown> }[]
  ) => {
    const { userId, dollars, currency } = asked;
    timeline.add(asked.asked, async () => {
      const { id } = granted(await payments.create({ userId, currency, usd: usd(dollars) }), "a top-up");
      count++;
      for (const { after, act } of then) timeline.add(secondsAfter(asked.asked, after), () => act(id, asked));
    });
  };
  const paid = { after: 4 * minute, act: (id: bigint, { userId }: TopUp) => pay(payments, id, userId) };
  const over = { after: 61 * minute, act: () => payments.poll() };

  for (const [daysAgo, dollars, currency] of [
    [29.4, "20", "usdttrc20"],
    [18.7, "25", "ltc"],
    [7.6, "15", "ton"],
    [1.2, "10", "usdttrc20"],
  ] as const)
    topUp({ userId: nora, dollars, currency, asked: ago(daysAgo * day) }, paid);
  topUp({ userId: nora, dollars: "30", currency: "eth", asked: ago(12.3 * day) }, over);
  topUp(
    { userId: nora, dollars: "20", currency: "ltc", asked: ago(25 * minute) },
    { after: 6 * minute, act: (id, { userId }) => pay(payments, id, userId, "0.15") },
  );
  topUp({ userId: nora, dollars: "50", currency: "usdttrc20", asked: ago(3 * minute) });

  for (const asked of firstTopUps(stage)) topUp(asked, paid);
  const of = (email: string) => people.get(email)?.userId ?? nora;
  const wrongCoin = { after: 9 * minute, act: (id: bigint) => payWrongCoin(stage, id) };
  topUp(
    { userId: of("hugo@studio.test"), dollars: "15", currency: "usdttrc20", asked: ago(5 * 3600) },
    wrongCoin,
  );
  topUp(
    { userId: of("lucia@tienda.test"), dollars: "12", currency: "usdttrc20", asked: ago(6.2 * day) },
    wrongCoin,
    {
      after: 5 * 3600,
      act: (id) =>
        payments
          .decide(id, { does: "reject", atLock: false, reason: "the sender asked for the coins back", by })
          .then((decided) => granted(decided, "a decision")),
    },
  );
  topUp({ userId: of("wei@river.test"), dollars: "40", currency: "eth", asked: ago(3.4 * day) }, over);

  addPayouts(stage);
  return () => count;
}

/** Each buyer begins with one. */
function firstTopUps({ people, chance }: Stage): TopUp[] {
  return buyers.flatMap(({ email }) => {
    const person = people.get(email);
    if (!person) return [];
    const { userId, since } = person;
    const dollars = chance.pick(["20", "25", "30", "40"]);
    return [{ userId, dollars, currency: chance.pick(coins), asked: secondsAfter(since, 5 * minute) }];
  });
}

async function pay(payments: Payments, id: bigint, userId: bigint, coins?: string): Promise<void> {
  granted(await payments.confirm(id, `user ${userId}`, coins), "a payment");
}

/** Another coin of the same chain, which only an operator can decide about. */
async function payWrongCoin({ db, payments, timeline }: Stage, id: bigint): Promise<void> {
  const [payment] = await payments.list({ before: id + 1n, size: 1 });
  if (payment?.id !== id) throw new Error(`there is no payment ${id}`);
  const { address, userId } = payment;
  const amount = 55_000_000n;
  await attempt(db, (tx) =>
    payInSandbox(tx, { address, currency: "trx", amount, at: timeline.clock(), by: `user ${userId}` }),
  );
  await payments.poll();
}

/** A refund of a wrong price; and what has been earned until then is paid out, in whole cents. */
function addPayouts(stage: Stage): void {
  const { db, at, timeline, partners } = stage;
  const refund = {
    userId: personOf(stage, "buyer"),
    amount: usd("0.075"),
    reason: "refund: six addresses of quill.test at a wrong price",
  };
  timeline.add(secondsAfter(at, -2 * day), async () =>
    granted(await users.adjust(db, refund, "operator"), "a refund"),
  );
  const pays = [
    { userId: personOf(stage, "partner"), way: "referrals", daysAgo: 9, note: "bank transfer" },
    { userId: personOf(stage, "partner"), way: "soft", daysAgo: 9, note: "bank transfer" },
    { userId: personOf(stage, "investor"), way: "investor", daysAgo: 8, note: "USDT, TRON" },
  ] as const;
  for (const { userId, way, daysAgo, note } of pays)
    timeline.add(secondsAfter(at, -daysAgo * day), async () => {
      const earned = await ledger.balance(db, userId, way);
      const amount = (earned - (earned % cent)) as Usd;
      if (amount > 0n) granted(await partners.payOut({ userId, way, amount, note, by }), "a payout");
    });
}
