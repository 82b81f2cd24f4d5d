import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { bounded, DollarText, field, IdText, id, optional, textOf, wholeNumber, wireId } from "../fields.ts";
import * as limits from "../limits.ts";
import { act } from "./act.ts";
import { Change, Key, Reason } from "./people-acts.ts";

/** `to` a price, `by` dollars, by `percent` of what applies, or the `general` price of all sites. */
const ways = ["to", "by", "percent", "general"] as const;
const timeMax = 9_999_999_999;

/** Of a look at a change, and of the change itself. */
const refused = [
  "prices",
  "how",
  "change",
  "from",
  "no domain",
  "site",
  "price",
  "nothing to change",
] as const;

const Prices = field(
  bounded(limits.priceListLengthMax),
  "prices",
  "Mail domains, or own, hosted, all, separated by commas; with a site and a slash before it, the price of this site alone: example.com/hosted",
  textOf(limits.priceListLengthMax),
);
const How = field(
  z.literal(ways),
  "how",
  "to: the price is amount; by: it changes by so many dollars; percent: by so much of what it is then; general: the site has no price of its own any more",
  { kind: "choice", of: ways },
);
const Amount = optional(
  Change.schema,
  "change",
  "Dollars or percent, with a minus sign to lower; omitted for general",
  Change.form,
);
const From = optional(wholeNumber(1, timeMax), "from", "When it begins, in unix seconds; now, if omitted", {
  kind: "time",
  min: 1,
  max: timeMax,
});

const asked = { prices: Prices, how: How, amount: Amount, from: From } as const;

const PriceOf = z.object({
  domain: z.string(),
  /** Absent: the price of all sites without one of their own. */
  site: z.optional(z.string()),
  before: DollarText,
  after: DollarText,
  /** Orders that got their letter in the last seven days. */
  letters: z.int(),
});

export const pricePreview = endpoint({
  name: "pricePreview",
  method: "GET",
  path: "/api/admin/prices/preview",
  access: "admin",
  session: "begun",
  summary:
    "What a change of prices would change, and what the orders of the last seven days would have earned (administrators)",
  ask: asked,
  reply: z.object({
    /** Of all prices that would change; data has the first twenty. */
    count: z.int(),
    letters: z.int(),
    /** Dollars of these orders at the prices of before and of after. */
    before: DollarText,
    after: DollarText,
    data: z.array(PriceOf),
  }),
  refusals: [...refused],
});

const changePrices = act({
  name: "changePrices",
  path: "/api/admin/prices/change",
  role: "money",
  proof: true,
  reason: "by page",
  summary: "Change prices, now or from a moment on, of all sites or of one (administrators)",
  ask: { ...asked, reason: Reason, key: Key },
  reply: z.object({ id: IdText, count: z.int(), repeated: z.boolean() }),
  refusals: [...refused, "reason", "key"],
  commands: {
    "prices change <prices> <how> <amount>": {
      about: "changes prices: to or by so many dollars, or by percent; --from names the moment",
      done: "Change {id}: {count} prices. To undo it: prices undo {id}",
      undo: "prices undo",
    },
    "prices general <prices>": {
      about: "takes prices of their own from sites: those of all sites apply",
      done: "Change {id}: {count} prices. To undo it: prices undo {id}",
      sets: { how: "general" },
      undo: "prices undo",
    },
  },
});

const undoPrices = act({
  name: "undoPrices",
  path: "/api/admin/prices/undo",
  role: "money",
  proof: true,
  reason: "by page",
  summary:
    "Take a change of prices back: before its moment it never comes, later the prices of before apply again (administrators)",
  ask: { id: field(wireId, "no price change", "Number of the change", id), reason: Reason },
  reply: z.object({ count: z.int() }),
  refusals: ["no price change", "price changed since", "reason"],
  commands: {
    "prices undo <id>": {
      about: "takes a change of prices back",
      done: "{count} prices are as they were before.",
      undo: false,
    },
  },
});

export const priceActs = { changePrices, undoPrices };
