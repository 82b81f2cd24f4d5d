// Parameters of the two lists of orders. Without them both answer as they always did.
import * as z from "zod/mini";
import { bounded, flag, flagged, optional, textOf, wholeNumber } from "./fields.ts";
import {
  domainLengthMax,
  historyLettersMax,
  listSizes,
  searchLengthMax,
  siteLengthMax,
  timelineLettersMax,
} from "./limits.ts";
import { orderStates } from "./order-states.ts";

const timeMax = 9_999_999_999;

export const ListSearch = optional(
  bounded(searchLengthMax),
  "request",
  "Only orders with each of these words: the beginning of the address or of its site, a part of a note or a subject, a code, or the id",
  textOf(searchLengthMax),
);
export const ListState = optional(
  z.literal(orderStates),
  "request",
  "Only orders in this state: pending, received, canceled or expired",
  { kind: "choice", of: orderStates },
);
export const ListSite = optional(
  bounded(siteLengthMax),
  "request",
  "Only orders for this site",
  textOf(siteLengthMax),
);
export const ListDomain = optional(
  bounded(domainLengthMax),
  "request",
  "Only orders on this mail domain",
  textOf(domainLengthMax),
);
export const Since = optional(
  wholeNumber(0, timeMax),
  "request",
  "Only what was placed or happened at this time or later, in unix seconds",
  { kind: "time", min: 0, max: timeMax },
);
export const Until = optional(
  wholeNumber(0, timeMax),
  "request",
  "Only what was placed or happened before this time, in unix seconds",
  { kind: "time", min: 0, max: timeMax },
);
const sizeWords = listSizes.map(String) as ["10", "50", "100"];

export const ListSize = optional(
  z.pipe(
    z.pipe(
      z.union([z.string(), z.number()]),
      z.transform((size: string | number) => String(size)),
    ),
    z.pipe(z.literal(sizeWords), z.transform(Number)),
  ),
  "request",
  "How many orders a page has: 10 (if omitted), 50 or 100",
  { kind: "choice", of: sizeWords },
);
export const ListBrief = optional(
  flag,
  "request",
  "1: without the text and the attachments of letters, for long pages",
  flagged,
);

export const filterAsk = {
  state: ListState,
  site: ListSite,
  domain: ListDomain,
  since: Since,
  until: Until,
};
export const listAsk = { search: ListSearch, ...filterAsk, size: ListSize, brief: ListBrief };

export const gone = "empty when the letter is no longer stored (30 days, unless the shop is set otherwise)";

export const ListedMessage = z
  .string()
  .check(z.describe(`The letter without the pictures that it carries: /email/getmessage has them; ${gone}`));

export const ListedMessages = z
  .array(ListedMessage)
  .check(z.describe(`The newest letters, at most ${historyLettersMax}: /email/getmessage has their number`));

export const newestSteps = z.describe(
  `Of letters the newest ${timelineLettersMax} that were delivered, and as many others`,
);

export const Found = z.optional(
  z.int().check(z.describe("How many orders fit, where a search or filters narrow the list")),
);

export const Cut = z.optional(
  z
    .literal(true)
    .check(
      z.describe(
        "There are older orders that were not looked at. A search and filters look at the newest 10,000; a word also finds codes and beginnings of notes of older ones, the newest 2,000 that have it",
      ),
    ),
);
