// The daily summary: figures of a day beside those of the day before, what needs a decision, what is broken. In the words of the office.
import { readFileSync } from "node:fs";
import { dollars } from "../../i18n/dollars.ts";
import { type Language, languageCodes } from "../../i18n/languages.ts";
import type { OfficeKey } from "../../i18n/t.ts";

/** Sums of a day; dollars as decimal text. */
export interface DaySums {
  readonly orders: number;
  readonly letters: number;
  readonly registrations: number;
  readonly revenue: string;
  readonly top_ups: string;
  readonly refunded: string;
  readonly ended: number;
  readonly received: number;
  readonly seconds: number | null;
}

export interface Summary {
  /** YYYY-MM-DD. */
  readonly day: string;
  readonly now: DaySums;
  readonly before: DaySums;
  /** What needs a decision, as the overview of the office names it, and how many. */
  readonly waiting: Readonly<Record<string, number>>;
  readonly down: readonly string[];
  readonly failing: readonly string[];
}

interface Fact {
  readonly name: string;
  readonly value: string;
  readonly change: string;
}

export interface SummaryText {
  readonly facts: readonly Fact[];
  readonly lists: readonly { readonly title: string; readonly lines: readonly string[] }[];
}

type Texts = Record<OfficeKey, string>;
const textsOf = new Map<Language, Texts>(
  languageCodes.map((code) => [
    code,
    JSON.parse(readFileSync(new URL(`../../../i18n/office/${code}.json`, import.meta.url), "utf8")) as Texts,
  ]),
);

type Kind = "count" | "dollars" | "part" | "seconds";

const facts: readonly [key: OfficeKey, kind: Kind, valueOf: (sums: DaySums) => number | null][] = [
  ["office.column.orders", "count", ({ orders }) => orders],
  ["office.column.revenue", "dollars", ({ revenue }) => Number(revenue)],
  ["office.measure.success", "part", ({ ended, received }) => (ended === 0 ? null : received / ended)],
  ["office.measure.seconds", "seconds", ({ seconds }) => seconds],
  ["office.column.top_ups", "dollars", ({ top_ups: topUps }) => Number(topUps)],
  ["office.column.registrations", "count", ({ registrations }) => registrations],
  ["office.column.letters", "count", ({ letters }) => letters],
  ["office.measure.refunded", "dollars", ({ refunded }) => Number(refunded)],
];

/** A summary in the words and numbers of a language. */
export function tellSummary(
  { now, before, waiting, down, failing }: Summary,
  language: Language,
): SummaryText {
  const texts = textsOf.get(language) as Texts;
  const counts = Object.entries(waiting).filter(([, count]) => count > 0);
  const lists = [
    {
      title: texts["office.waiting"],
      lines:
        counts.length === 0
          ? [texts["office.waiting.none"]]
          : counts.map(([name, count]) => `${texts[`office.waiting.${name}` as OfficeKey]}: ${count}`),
    },
    { title: texts["office.health.down"], lines: down },
    { title: texts["office.health.failing"], lines: failing },
  ];
  return {
    facts: facts.map(([key, kind, valueOf]) => {
      const [value, past] = [valueOf(now), valueOf(before)];
      const earlier = `${texts["office.change.before"]} ${say(past, kind, language)}`;
      const change = changeOf(value, past, { kind, language, texts });
      return {
        name: texts[key],
        value: say(value, kind, language),
        change: change === undefined ? earlier : `${change} · ${earlier}`,
      };
    }),
    lists: lists.filter(({ lines }) => lines.length > 0),
  };
}

const numberIn = (language: Language, options: Intl.NumberFormatOptions) =>
  new Intl.NumberFormat(`${language}-u-nu-latn`, options);

const options: Record<Kind, Intl.NumberFormatOptions> = {
  count: {},
  dollars: {},
  part: { style: "percent", maximumFractionDigits: 1 },
  seconds: { style: "unit", unit: "second", unitDisplay: "short", maximumFractionDigits: 0 },
};

function say(value: number | null, kind: Kind, language: Language): string {
  if (value === null) return "—";
  return kind === "dollars" ? dollars(language, value, 2) : numberIn(language, options[kind]).format(value);
}

interface Words {
  readonly kind: Kind;
  readonly language: Language;
  readonly texts: Texts;
}

/** By a sign and by a word; undefined where there is nothing to compare, or nothing was before. */
function changeOf(now: number | null, before: number | null, { kind, language, texts }: Words) {
  if (now === null || before === null) return undefined;
  if (now === before) return texts["office.change.same"];
  const isTime = kind === "seconds";
  const [more, less] = isTime
    ? (["office.change.slower", "office.change.faster"] as const)
    : (["office.change.more", "office.change.less"] as const);
  if (!isTime && kind !== "part" && before === 0) return undefined;
  const signed = { signDisplay: "exceptZero", maximumFractionDigits: 0 } as const;
  const change = isTime
    ? numberIn(language, { ...options.seconds, ...signed }).format(now - before)
    : kind === "part"
      ? texts["office.change.points"].replace("{change}", () =>
          numberIn(language, { ...signed, maximumFractionDigits: 1 }).format((now - before) * 100),
        )
      : numberIn(language, { style: "percent", ...signed }).format((now - before) / before);
  return texts[now > before ? more : less].replace("{change}", () => change.replace("-", "−"));
}
