// The orders of a demonstration's life, with their letters.
import { buyers, complainer, type Fate, fatesOf, named, theirDomains } from "./life.cast.ts";
import { sites, write, type Wanted } from "./life.letters.ts";
import { granted, personOf, type Stage } from "./life.stock.ts";
import { find } from "./inventory/inventory.ts";
import { complain, type Placed } from "./orders/orders.ts";
import { secondsAfter } from "./platform/clock.ts";

const day = 24 * 3600;
const hour = 3600;
const minute = 60;
/** Orders whose letter has come within the last hour. */
const recent = 5;
const complaints = 4;
/** Waiting orders that get a letter of a stranger. */
const strangers = 3;

type Site = (typeof sites)[number];

interface Asked {
  readonly email: string;
  readonly site: Site;
  readonly domain: string;
  readonly fate: Fate;
  readonly at: Date;
}

export interface Counts {
  orders: number;
  letters: number;
}

/** Puts the orders on the timeline. The answer grows as they come. */
export function addOrders(stage: Stage): Counts {
  const { timeline } = stage;
  const counts = { orders: 0, letters: 0 };
  const living = new Orders(stage, counts);
  for (const asked of wanted(stage)) timeline.add(asked.at, () => living.place(asked));
  return counts;
}

function wanted(stage: Stage): Asked[] {
  const { at, chance, ttlSeconds } = stage;
  const fates = fatesOf(chance);
  const ended = fates.filter((fate) => fate !== "pending");
  const times = Array.from({ length: ended.length }, () => busyTime(stage)).toSorted(
    (one, other) => one.getTime() - other.getTime(),
  );
  const old = ended.map((fate, place) => ({ fate, at: times[place] ?? at }));
  // The last whose letter came are of this hour.
  for (const [nth, one] of old
    .filter(({ fate }) => fate === "code")
    .slice(-recent)
    .entries())
    one.at = secondsAfter(at, -(recent - nth) * 9 * minute);
  const waiting = fates
    .filter((fate) => fate === "pending")
    .map((fate, nth) => ({ fate, at: secondsAfter(at, -ttlSeconds * (0.45 - 0.06 * nth)) }));
  const young = old.filter(({ fate, at: time }) => fate === "code" && isYoung(stage, time));
  const theirs = new Set<object>(young.slice(0, complaints));
  return [...old, ...waiting].map((order, nth) => {
    // Of those that wait two are of the account that visitors get: they do not fill its first page.
    const isOthers = order.fate === "pending" && nth % 3 !== 0;
    const email = theirs.has(order)
      ? complainer
      : isOthers
        ? chance.pick(buyers).email
        : buyerAt(stage, order.at, secondsAfter(order.at, hour) > at);
    const site = chance.pick(sites);
    return { ...order, email, site, domain: domainOf(stage, email, site) };
  });
}

/** Its share is still held, and there was time to complain. */
const isYoung = ({ at }: Stage, time: Date) =>
  secondsAfter(time, 4.9 * day) > at && secondsAfter(time, 4 * hour) < at;

/** Fewer at night. */
function busyTime({ at, chance }: Stage): Date {
  for (;;) {
    const time = secondsAfter(at, -chance.between(6 * hour, 29 * day));
    if (time.getUTCHours() > 6 || chance.next() < 0.3) return time;
  }
}

/** A third of the orders are of the account that visitors get. */
function buyerAt({ chance, people }: Stage, time: Date, isRecent: boolean): string {
  const nora = named[0]?.email ?? "";
  if (chance.next() < (isRecent ? 0.7 : 0.34)) return nora;
  const there = buyers.filter(({ email }) => {
    const since = people.get(email)?.since;
    return since !== undefined && secondsAfter(since, 15 * minute) < time;
  });
  return there.length === 0 ? nora : chance.pick(there).email;
}

/** The investor's batches are not for some sites. */
function domainOf({ chance }: Stage, email: string, { name }: Site): string {
  const ours = ["letters.test", "post.test", "inbox.test", "courier.test", "quill.test", "envelope.test"];
  const [parcel, harbor] = theirDomains.map((domain) => domain.name);
  const theirs = [
    ...(name === "facebook.com" ? [] : [parcel]),
    ...(name === "telegram.org" || name === "x.com" ? [] : [harbor]),
  ];
  return chance.pick(email === complainer || chance.next() < 0.5 ? theirs : ours) ?? "letters.test";
}

class Orders {
  readonly #stage: Stage;
  readonly #counts: Counts;
  #complaints = 0;
  #strangers = 0;

  constructor(stage: Stage, counts: Counts) {
    this.#stage = stage;
    this.#counts = counts;
  }

  async place(asked: Asked): Promise<void> {
    const { catalog, orders } = this.#stage;
    const userId = this.#userOf(asked);
    const site = await catalog.siteOf(asked.site.name, { make: true });
    const [domain] = await catalog.domainsOf(asked.domain);
    if ("refused" in site || !domain) throw new Error(`nothing is on sale for ${asked.site.name}`);
    const placed = await orders.place({
      userId,
      siteId: site.id,
      domainIds: [domain.id],
      softId: this.#programOf(asked),
    });
    if ("refusal" in placed) throw new Error(`an order of ${asked.email}: ${placed.refusal}`);
    this.#counts.orders++;
    this.#follow(asked, placed);
  }

  /** Puts on the timeline what becomes of an order. */
  #follow(asked: Asked, placed: Placed): void {
    const { chance, timeline, orders, ttlSeconds } = this.#stage;
    const { fate, at } = asked;
    const { orderId, email: to } = placed;
    const order = { userId: this.#userOf(asked), orderId };
    const later = (seconds: number, act: () => Promise<unknown>) =>
      timeline.add(secondsAfter(at, seconds), act);
    const letter = (seconds: number, kind: Wanted["kind"]) =>
      later(seconds, () => this.#send({ site: asked.site, kind, to }));
    const first = ttlSeconds * chance.between(0.006, 0.06);
    switch (fate) {
      case "canceled":
        return later(ttlSeconds * chance.between(0.1, 0.3), async () => {
          const { outcome } = await orders.cancel(order);
          if (outcome !== "activation canceled") throw new Error(`an order was not canceled: ${outcome}`);
        });
      case "expired":
        return later(ttlSeconds + 2, () => orders.expireDue());
      case "pending":
        return this.#turnAway(asked, to);
      case "link":
        letter(first, "link");
        break;
      case "several":
        letter(first, "code");
        letter(first + 40, "code");
        letter(first + 300, "news");
        break;
      default:
        letter(first, "code");
    }
    if (fate === "hidden") later(hour, () => orders.cancel(order));
    if (fate === "again") later(chance.between(2, 5) * hour, () => this.#again(asked, orderId));
    if (asked.email === complainer && isYoung(this.#stage, at) && this.#complaints++ < complaints)
      later(3 * hour, async () =>
        granted(await complain(this.#stage.db, order, timeline.clock()), "a complaint"),
      );
  }

  async #again(asked: Asked, orderId: bigint): Promise<void> {
    const { orders, timeline } = this.#stage;
    const placed = await orders.reorder({ userId: this.#userOf(asked), orderId });
    if ("refusal" in placed) throw new Error(`an order again: ${placed.refusal}`);
    this.#counts.orders++;
    this.#follow({ ...asked, fate: "code", at: timeline.clock() }, placed);
  }

  /** From a sender that the site is not known to have: nobody gets it. */
  #turnAway({ site, at }: Asked, to: string): void {
    if (this.#strangers++ >= strangers) return;
    const from = `hello@${site.brand.toLowerCase()}-post.example`;
    this.#stage.timeline.add(secondsAfter(at, 20), () => this.#send({ site, kind: "code", to, from }));
  }

  async #send(letter: Omit<Wanted, "at" | "nth">): Promise<void> {
    const { db, letters, timeline, chance } = this.#stage;
    const at = timeline.clock();
    const mailboxId = await find(db, letter.to);
    if (mailboxId === undefined) throw new Error(`there is no mailbox ${letter.to}`);
    const { mailFrom, raw } = await write({ ...letter, at, nth: ++this.#counts.letters }, chance);
    await letters.keep({
      mailFrom,
      raw,
      mailboxIds: [mailboxId],
      isToPostmaster: false,
      remote: undefined,
      helo: "",
      arrivedAt: at,
    });
    await letters.drain();
  }

  #userOf({ email }: Asked): bigint {
    const person = this.#stage.people.get(email);
    if (!person) throw new Error(`there is no account ${email}`);
    return person.userId;
  }

  /** Some of the visitors' account, too, are by the partner's program. */
  #programOf({ email }: Asked): bigint | undefined {
    const isBy = buyers.some((buyer) => buyer.email === email && buyer.by === "program");
    const isSome = email === named[0]?.email && this.#stage.chance.next() < 0.35;
    return isBy || isSome ? personOf(this.#stage, "partner") : undefined;
  }
}
