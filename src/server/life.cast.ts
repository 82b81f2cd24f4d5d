// Who lives in a demonstration, and what they do: chosen by chance from one seed, so that each life is the same.
import type { Language } from "../i18n/languages.ts";

/** Numbers that look like chance and are always the same (mulberry32). */
export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** From 0 to below 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  between(least: number, most: number): number {
    return least + this.next() * (most - least);
  }

  pick<Thing>(things: readonly Thing[]): Thing {
    const thing = things[Math.floor(this.next() * things.length)];
    if (thing === undefined) throw new Error("there is nothing to pick from");
    return thing;
  }

  /** The first is no 0, as in most codes. */
  digits(count: number): string {
    return Array.from({ length: count }, (_, place) =>
      Math.floor(this.between(place === 0 ? 1 : 0, 10)),
    ).join("");
  }

  word(length: number): string {
    return Array.from({ length }, () => this.pick(Array.from("abcdefghijkmnpqrstuvwxyz"))).join("");
  }
}

type Role = "buyer" | "partner" | "investor" | "administrator";

/** The accounts that a visitor gets the password of. */
export const named: readonly { role: Role; email: string; language: Language; see: string }[] = [
  {
    role: "buyer",
    email: "nora@buyer.test",
    language: "en",
    see: "orders in all states, letters, top-ups, the statement",
  },
  {
    role: "partner",
    email: "marco@partner.test",
    language: "es",
    see: "30 days of earnings by a link and by a program",
  },
  {
    role: "investor",
    email: "ivy@investor.test",
    language: "en",
    see: "batches in several states, earnings, held shares",
  },
  {
    role: "administrator",
    email: "olga@office.test",
    language: "ru",
    see: "the back office: people, orders, payments, complaints",
  },
];

/** Other buyers. `by`: they came by the partner's link, or order by the partner's program. */
export const buyers: readonly { email: string; language: Language; by?: "link" | "program" }[] = [
  { email: "liam@quick.test", language: "en", by: "link" },
  { email: "sofia@sol.test", language: "es", by: "link" },
  { email: "wei@river.test", language: "zh", by: "link" },
  { email: "dmitri@north.test", language: "ru", by: "link" },
  { email: "amira@oasis.test", language: "ar", by: "link" },
  { email: "priya@lotus.test", language: "hi", by: "link" },
  { email: "hugo@studio.test", language: "en", by: "program" },
  { email: "mei@signup.test", language: "zh", by: "program" },
  { email: "pavel@grow.test", language: "ru", by: "program" },
  { email: "lucia@tienda.test", language: "es" },
  { email: "omar@desk.test", language: "ar" },
  { email: "tess@launch.test", language: "en" },
];

/** Who is content with nothing, and complains. */
export const complainer = "tess@launch.test";

export type Fate = "code" | "link" | "several" | "canceled" | "expired" | "hidden" | "again" | "pending";

/** How the orders end. One that is ordered again is two. */
const fates: readonly (readonly [fate: Fate, count: number])[] = [
  ["code", 92],
  ["link", 24],
  ["several", 20],
  ["canceled", 20],
  ["expired", 17],
  ["hidden", 8],
  ["again", 6],
  ["pending", 7],
];

/** The ends of all orders in an order of chance; those that wait come last. */
export function fatesOf(chance: Chance): Fate[] {
  const ended = fates.flatMap(([fate, count]) => (fate === "pending" ? [] : Array<Fate>(count).fill(fate)));
  const placed = ended.map((fate) => ({ fate, place: chance.next() }));
  const waiting = fates.flatMap(([fate, count]) => (fate === "pending" ? Array<Fate>(count).fill(fate) : []));
  return [...placed.toSorted((one, other) => one.place - other.place).map(({ fate }) => fate), ...waiting];
}

export const partnerWord = "marco";

/** The investor's domains and prices; the demonstration's own are in demo.ts. */
export const theirDomains = [
  { name: "parcel.test", price: "0.3" },
  { name: "harbor.test", price: "0.75" },
] as const;

/** The investor's files: how old in days, how many mailboxes, and how each ends. */
export const batches: readonly {
  domain: (typeof theirDomains)[number]["name"];
  daysAgo: number;
  count: number;
  end: "approve" | "refuse" | "review";
  reason?: string;
  sites?: readonly string[];
}[] = [
  { domain: "parcel.test", daysAgo: 29.6, count: 480, end: "approve", sites: ["facebook.com"] },
  { domain: "harbor.test", daysAgo: 29.5, count: 250, end: "approve", sites: ["telegram.org", "x.com"] },
  {
    domain: "parcel.test",
    daysAgo: 16.4,
    count: 90,
    end: "refuse",
    reason: "the addresses were sold elsewhere before",
  },
  { domain: "harbor.test", daysAgo: 9.2, count: 320, end: "approve" },
  { domain: "parcel.test", daysAgo: 0.3, count: 150, end: "review" },
];

export const localNames = (chance: Chance, count: number): string[] => {
  const names = new Set<string>();
  while (names.size < count) {
    const name = `${chance.pick(firsts)}${chance.pick([".", "_", ""])}${chance.pick(lasts)}`;
    names.add(`${name}${Math.floor(chance.between(10, 999))}`);
  }
  return [...names];
};

const firsts = [
  "anna",
  "ben",
  "carla",
  "dario",
  "elin",
  "felix",
  "greta",
  "henri",
  "iris",
  "jonas",
  "kaya",
  "leo",
];
const lasts = [
  "aster",
  "brook",
  "cole",
  "drew",
  "ember",
  "frost",
  "grove",
  "hale",
  "ivers",
  "jarvis",
  "keller",
];
