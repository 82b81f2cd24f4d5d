// What each act of the back office does. Its call and its command ask it the same way; the services decide and write the journal.
import type { Act } from "../../contract/office/act.ts";
import type { ActName, Acts } from "../../contract/office/acts.ts";
import type { Asked, RefusalOf, Reply } from "../../contract/endpoint.ts";
import * as catalog from "../catalog/catalog.ts";
import * as imap from "../imap/imap.ts";
import * as inventory from "../inventory/inventory.ts";
import * as investors from "../investors/investors.ts";
import type { Letters } from "../letters/letters.ts";
import { cancelForBuyer, decideComplaint, decideShares } from "../orders/orders.ts";
import { heldOnWire, type Partners } from "../partners/partners.ts";
import { momentOf, now, unixSeconds } from "../platform/clock.ts";
import type { Db } from "../platform/db/db.ts";
import { Refused } from "../platform/http/answer.ts";
import { showUsd, usd, usdFromUnits } from "../platform/money.ts";
import type { Seal } from "../platform/seal.ts";
import { readHostPort } from "../platform/network-address.ts";
import { onWire, type PaymentDetail, type Payments } from "../payments/payments.ts";
import * as questions from "../questions/questions.ts";
import * as users from "../users/users.ts";
import type { WithdrawalRow, Withdrawals } from "../withdrawals/withdrawals.ts";
import * as tasks from "./office.tasks.ts";

export interface ActServices {
  readonly db: Db;
  /** The mail with an answer is sealed. */
  readonly sealOf: () => Promise<Seal>;
  readonly letters: Pick<Letters, "deliverUnclaimed">;
  readonly partners: Pick<Partners, "payOut" | "decide">;
  readonly payments: Pick<Payments, "confirm" | "decide"> & {
    readonly rates: Pick<Payments["rates"], "release">;
  };
  readonly users: Pick<users.Users, "setGrant" | "setBlock" | "adjust" | "resetAccess"> & {
    readonly factors: Pick<users.Factors, "reset">;
  };
  readonly withdrawals: Pick<Withdrawals, "pay" | "refuse">;
}

/** Who acts. */
export interface Who {
  readonly actor: users.Actor;
  /** For the journal: "operator", "user 17". */
  readonly by: string;
  readonly progress?: (done: number, of: string) => void;
}

/** What is asked. The operator may leave out what a command need not say. */
type AskedOf<E extends Act> = {
  [Name in keyof Asked<E>]: Name extends "key" | (E["reason"] extends "always" ? never : "reason")
    ? Asked<E>[Name] | undefined
    : Asked<E>[Name];
};

/** The answer of the call, with more for the command; or the refusal. */
type Outcome<E extends Act> = (Reply<E> & Readonly<Record<string, unknown>>) | RefusalOf<E> | Refused;

export type Doers = {
  readonly [Name in ActName]: (
    asked: AskedOf<Acts[Name]>,
    who: Who,
  ) => Promise<Outcome<Acts[Name]>> | Outcome<Acts[Name]>;
};

/** Each act by its name: one that is declared and not here does not compile. */
export const doersOf = (services: ActServices): Doers => ({
  ...ofStock(services),
  ...ofPrices(services),
  ...ofSites(services),
  ...ofUsers(services),
  ...ofBatches(services),
  ...ofQuestions(services),
  ...ofOrders(services),
  ...ofEarnings(services),
  ...ofPayments(services),
  ...ofWithdrawals(services),
  ...ofQueues(services),
});

type Some<Names extends ActName> = Pick<Doers, Names>;

function ofStock({ db }: ActServices): Some<"addDomain" | "changeDomain" | "addStock" | "addHost"> {
  // One at a time in a process: it loads the whole database for some seconds.
  let isOrdering = false;
  return {
    addDomain: async ({ name, price, kind }, { by }) => {
      const added = await catalog.sellDomain(db, { name, price: usd(price), kind }, by);
      return typeof added === "string" ? added : { ...added, kind, price: showUsd(usd(price)), on: true };
    },

    changeDomain: async ({ name, price, on }, { by }) => {
      if (price === undefined && on === undefined) return "nothing to change";
      const change = {
        ...(price === undefined ? {} : { price: usd(price) }),
        ...(on === undefined ? {} : { enabled: on }),
      };
      const changed = await catalog.changeDomain(db, name, change, by);
      if (changed === "no domain") return changed;
      const { name: domain, kind, price: costs, enabled } = changed;
      return { name: domain, kind, price: showUsd(usdFromUnits(costs)), on: enabled };
    },

    addStock: async (asked, { by, progress }) => {
      if (isOrdering) return "stock busy";
      isOrdering = true;
      try {
        const ordered = await inventory.orderUp(db, asked, by, progress);
        return typeof ordered === "string" ? ordered : { ...ordered };
      } finally {
        isOrdering = false;
      }
    },

    addHost: async (asked, { by }) => {
      const { domain, tls, connections, logins } = asked;
      const where = readHostPort(asked.imap);
      if (!where) return "imap";
      if (asked.ca !== undefined && asked.known_ca === true) return "ca";
      const given = asked.ca === undefined ? undefined : imap.readCertificates(asked.ca);
      if (asked.ca !== undefined && given === undefined) return "ca";
      const ca = asked.known_ca === true ? null : given;
      const wanted = { domain, ...where, tls, connections, logins, ca };
      const registered = await imap.registerHost(db, wanted, by);
      return typeof registered === "string" ? registered : { ...registered, tls };
    },
  };
}

function ofPrices({ db }: ActServices): Some<"changePrices" | "undoPrices"> {
  return {
    changePrices: async ({ from, ...asked }, { by }) => {
      const changed = await catalog.changePrices(db, { ...asked, from: momentOf(from) }, by, now());
      return typeof changed === "string" ? changed : { ...changed, id: String(changed.id) };
    },

    undoPrices: (asked, { by }) => catalog.undoPrices(db, asked, by),
  };
}

const listed = (domains: string) =>
  [...new Set(domains.split(",").map((domain) => domain.trim().toLowerCase()))].filter(Boolean);

function ofSites({ db, letters }: ActServices): Some<"addSenders" | "removeSenders" | "blockSite"> {
  return {
    addSenders: async (asked, { by }) => {
      const domains = listed(asked.domains);
      if (domains.length === 0) return "senders";
      const allowed = await catalog.allowSenders(db, { site: asked.site, domains }, by);
      if (allowed === "site") return allowed;
      if ("notSender" in allowed) return new Refused("senders", { domain: allowed.notSender });
      const { siteId, shared, ...senders } = allowed;
      const waited = await letters.deliverUnclaimed({ siteId });
      return { ...senders, shared: [...shared], ...waited, too_late: waited.tooLate };
    },

    removeSenders: async (asked, { by }) => {
      const domains = listed(asked.domains);
      if (domains.length === 0) return "senders";
      const removed = await catalog.removeSenders(db, { site: asked.site, domains }, by);
      if (removed === "site") return removed;
      return "noSender" in removed ? new Refused("no sender", { domain: removed.noSender }) : removed;
    },

    blockSite: (asked, { by }) => catalog.serveSite(db, asked, by),
  };
}

function ofQueues({ db }: ActServices): Some<"retryTasks" | "giveUpTasks"> {
  return {
    retryTasks: ({ queue, id, target: key, user: userId }, { by }) =>
      tasks.retry(db, { queue, id, key, userId }, by),

    giveUpTasks: ({ queue, id, target: key, user: userId }, { by }) =>
      tasks.giveUp(db, { queue, id, key, userId }, by),
  };
}

const ppmOfPercent = 10_000;

function ofUsers({
  db,
  users: accounts,
}: ActServices): Some<
  | "blockUser"
  | "resetAccess"
  | "resetFactors"
  | "adjustBalance"
  | "decideAdjustment"
  | "grantRole"
  | "setShare"
> {
  return {
    blockUser: ({ user: userId, blocked, reason }, { actor }) =>
      accounts.setBlock({ userId, blocked, reason }, actor),

    resetAccess: ({ user: userId, reason }, { by }) => accounts.resetAccess({ userId, reason, by }),

    resetFactors: ({ user: userId, reason }, { actor }) =>
      accounts.factors.reset({ userId, reason }, actor, now()),

    adjustBalance: async ({ user: userId, book, amount, reason, key }, { actor }) => {
      const wanted = { userId, book, amount: usd(amount), reason, key };
      const done = await accounts.adjust(wanted, actor);
      if (typeof done === "string") return done;
      const { before, balance, repeated, waits } = done;
      const outcome = { before: showUsd(before), balance: showUsd(balance), repeated };
      return waits === undefined ? outcome : { ...outcome, waits: String(waits) };
    },

    decideAdjustment: async ({ id, decision, reason }, { actor }) => {
      const wanted = { id, isApproved: decision === "approve", reason };
      const done = await users.decideAdjustment(db, wanted, actor);
      if (typeof done === "string") return done;
      return { state: done.state, amount: showUsd(done.amount), balance: showUsd(done.balance) };
    },

    grantRole: ({ user: userId, role, granted }, { actor }) =>
      accounts.setGrant({ userId, role, granted }, actor),

    setShare: async ({ user: userId, percent }, { by }) => {
      if (!(await users.findById(db, userId))) return "no user";
      const sharePpm = Math.round(Number(percent) * ppmOfPercent);
      const before = await investors.setShare(db, userId, sharePpm, by);
      return { percent: sharePpm / ppmOfPercent, before: before / ppmOfPercent };
    },
  };
}

const decided = ({ by }: Who, reason: string | undefined) => ({ by, reason, at: now() });

function ofBatches({ db }: ActServices): Some<"decideBatch" | "clearBatches"> {
  return {
    decideBatch: async ({ batch, decision, reason }, who) => {
      const decide = decided(who, reason);
      if (decision === "approve") {
        const state = await investors.approve(db, batch, decide);
        return state === "no batch" || state === "not under review" ? state : { state };
      }
      if (decision === "free") {
        const freed = await investors.free(db, batch, decide);
        return typeof freed !== "string" && "restsUntil" in freed
          ? new Refused("freed before", { until: unixSeconds(freed.restsUntil) })
          : freed;
      }
      const act = {
        refuse: investors.refuseBatch,
        withdraw: investors.withdraw,
        restore: investors.restoreBatch,
      };
      return act[decision](db, batch, decide);
    },

    clearBatches: async ({ user: userId, reason }, who) => {
      if (!(await users.findById(db, userId))) return "no user";
      const batches = await investors.clearFlags(db, userId, decided(who, reason));
      return batches === 0 ? "nothing to see" : { batches };
    },
  };
}

function ofQuestions({ db, sealOf }: ActServices): Some<"answerQuestion"> {
  return {
    answerQuestion: async ({ id, answer: text }, { by }) =>
      questions.answer({ db, seal: await sealOf() }, { id, text, by }),
  };
}

function ofOrders({ db }: ActServices): Some<"cancelOrder"> {
  return {
    cancelOrder: async ({ id: orderId, reason }, { by }) => {
      const done = await cancelForBuyer(db, { orderId, by, reason });
      return typeof done === "string" ? done : { price: showUsd(done.price) };
    },
  };
}

function ofEarnings({
  db,
  partners,
}: ActServices): Some<"payPartner" | "decideHeld" | "decideShares" | "decideComplaint"> {
  return {
    payPartner: async ({ partner, way, amount, note, key }, { actor, by }) => {
      // Their own money is another administrator's, or the command's, to decide about.
      if (partner === actor) return "yourself";
      const paid = await partners.payOut({ userId: partner, way, amount: usd(amount), note, key, by });
      if (typeof paid === "string") return paid;
      const left = showUsd(paid.left);
      return { to_withdraw: left, left, repeated: paid.moved === "repeat" };
    },

    decideHeld: async ({ partner: partnerId, buyer: userId, decision, note: reason }, { actor, by }) => {
      if (partnerId === actor) return "yourself";
      const state = decision === "release" ? "released" : "refused";
      const held = await partners.decide({ userId, partnerId, state, reason, by }, now());
      if (held === "nothing held") return held;
      const { referrals, soft, ...data } = heldOnWire(held);
      return { ...held, referrals, soft, state, data: { ...data, referrals, soft } };
    },

    decideShares: async ({ batch: batchId, site, decision, reason }, who) => {
      const state = decision === "release" ? "released" : "refused";
      const done = await decideShares(db, { batchId, site, state, ...decided(who, reason) });
      return typeof done === "string" ? done : { ...done, state, amount: showUsd(done.amount) };
    },

    decideComplaint: async ({ order: orderId, decision, reason }, who) => {
      const state = decision === "refund" ? "refunded" : "rejected";
      const done = await decideComplaint(db, { orderId, state, ...decided(who, reason) });
      return typeof done === "string" ? done : { state, price: showUsd(done.price) };
    },
  };
}

function ofPayments(services: ActServices): Some<"decidePayment" | "confirmPayment" | "releaseRate"> {
  const paymentReply = (view: PaymentDetail) => ({
    ...view,
    usd: showUsd(view.usd),
    rate: showUsd(view.rate),
    ...onWire(view),
  });
  return {
    decidePayment: async ({ id, verdict, reason }, { by }) => {
      const view = await services.payments.decide(id, {
        does: verdict === "reject" ? "reject" : "credit",
        atLock: verdict === "credit_locked",
        reason,
        by,
      });
      return typeof view === "string" ? view : paymentReply(view);
    },

    confirmPayment: async ({ id }, { by }) => {
      const view = await services.payments.confirm(id, by);
      // A real chain has no sandbox payer: for this act such a payment does not exist.
      if (view === "not sandbox" || view === "amount") return "no payment";
      return typeof view === "string" ? view : paymentReply(view);
    },

    releaseRate: async ({ coin }, { by }) => {
      const released = await services.payments.rates.release(coin, by);
      return released === "not held" ? released : { coin, released: true };
    },
  };
}

function ofWithdrawals({ withdrawals }: ActServices): Some<"payWithdrawal" | "refuseWithdrawal"> {
  const withdrawalReply = ({ id, amount }: WithdrawalRow) => ({
    id: String(id),
    amount: showUsd(usdFromUnits(amount)),
  });
  return {
    payWithdrawal: async ({ id, transaction }, { actor, by }) => {
      const done = await withdrawals.pay({ id, transaction, actor, by }, now());
      if (typeof done === "string") return done;
      if ("tooLittle" in done)
        return new Refused("too little", { paid: done.tooLittle, wanted: done.wanted });
      return { ...withdrawalReply(done.row), state: done.state, checked: done.checked };
    },

    refuseWithdrawal: async ({ id, reason }, { actor, by }) => {
      const done = await withdrawals.refuse({ id, reason, actor, by }, now());
      return typeof done === "string" ? done : withdrawalReply(done);
    },
  };
}
