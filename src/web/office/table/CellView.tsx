import { Link } from "wouter";
import { currencies } from "../../../contract/currencies.ts";
import type { OfficeColumn } from "../../../contract/office/office.ts";
import { jobNames } from "../../../contract/office/jobs.ts";
import { books, statementKinds } from "./moneyWords.ts";
import { joined } from "../../../i18n/t.ts";
import { nearText } from "../../ago.ts";
import { day, exactPrice, percent } from "../../format.ts";
import { useLanguage, useOfficeText } from "../../language.tsx";
import { Badge, type Tone } from "../../ui/feedback/Badge.tsx";
import styles from "../Office.module.css";
import { type OfficeSection, paths } from "../../paths.ts";
import { ObjectLink } from "../objects/ObjectLink.tsx";
import { objectNamed, objectOf } from "../objects/objects.ts";
import { type AnyRow, type Cell, type ChoiceValue, decimalsOf, type TableName } from "./tableState.ts";
import { utcText } from "../utcText.ts";
import { Exact } from "../../ui/display/Exact.tsx";

const textsShown = 3;
const jsonShown = 48;
/** Columns that hold what a person or a server wrote. */
const sentences: ReadonlySet<string> = new Set(["error", "text", "answer"]);

const tones: Partial<Record<ChoiceValue, Tone>> = {
  active: "good",
  received: "good",
  review: "warn",
  waiting: "warn",
  sent: "accent",
  paid: "good",
  retried: "warn",
  failed: "bad",
  refused: "bad",
};

interface CellViewProps {
  table: TableName;
  name: string;
  column: OfficeColumn;
  value: Cell;
  /** In a table: its other rows, and when they were told in unix seconds. */
  beside?: { rows: readonly AnyRow[]; at: number };
}

export function CellView({ table, name, column, value, beside }: CellViewProps) {
  const t = useOfficeText();
  const language = useLanguage();
  if (name === "site" && value === "") return <span className={styles.none}>{t("office.prices.all")}</span>;
  if (value === null || value === "") return <span className={styles.none}>—</span>;
  switch (column.kind) {
    case "flag":
      return value ? (
        <Badge tone="accent">{t("office.yes")}</Badge>
      ) : (
        <span className={styles.none}>{t("office.no")}</span>
      );
    case "choice":
      return (
        <Badge tone={tones[value as ChoiceValue] ?? "plain"}>
          {t(`office.choice.${value as ChoiceValue}`)}
        </Badge>
      );
    case "texts":
      return <Texts texts={value as readonly string[]} />;
    case "json":
      return <Json text={String(value)} />;
    case "time":
      return <Time at={Number(value)} now={beside?.at} />;
    case "day":
      return <Exact className={styles.time}>{day(String(value))}</Exact>;
    case "dollars":
      return (
        <Exact>
          {exactPrice(language, String(value), decimalsOf(beside?.rows ?? [{ [name]: value }], name))}
        </Exact>
      );
    case "count":
    case "number":
      return (
        <Exact>
          {name === "share" ? percent(language, Number(value) / 100) : numberText(language, Number(value))}
        </Exact>
      );
    case "id": {
      const object = objectOf(table, name);
      if (object) return <ObjectLink object={object} id={String(value)} />;
      return <Exact>{`#${String(value)}`}</Exact>;
    }
    case "text":
      return <Words table={table} name={name} text={String(value)} isRow={beside !== undefined} />;
  }
}

/** Within a day of when the table was told, how long ago says more than the time; the exact one shows on hover. */
function Time({ at, now }: { at: number; now: number | undefined }) {
  const language = useLanguage();
  const near = now === undefined ? undefined : nearText(language, at, now);
  return (
    <time dateTime={new Date(at * 1000).toISOString()} title={near && utcText(at)} className={styles.time}>
      <Exact>{near ?? utcText(at)}</Exact>
    </time>
  );
}

interface WordsProps {
  table: TableName;
  name: string;
  text: string;
  isRow: boolean;
}

function Words({ table, name, text, isRow }: WordsProps) {
  const t = useOfficeText();
  if (name === "book") return bookText(t, text);
  // On one line where the table scrolls.
  const line = isRow ? styles.time : styles.text;
  if (name === "coins") return <Exact className={line}>{text}</Exact>;
  if (name === "currency") return <Exact className={line}>{currencyName(text)}</Exact>;
  if (table === "jobs" && name === "name" && isOneOf(jobNames, text))
    return (
      <span title={text} className={styles.job}>
        {t(`office.job.${joined(text)}`)}
      </span>
    );
  if (table === "money" && name === "kind" && isOneOf(statementKinds, text))
    return t(`statement.kind.${text}`);
  const named = linking.has(name) ? objectNamed(text) : undefined;
  if (name === "mailbox") return <Searching section="orders" text={text} />;
  if (table === "targets" && name === "target") return <Searching section="tasks" text={text} />;
  if (named) return <ObjectLink {...named} text={text} />;
  return <Exact className={sentences.has(name) ? styles.sentence : styles.text}>{text}</Exact>;
}

/** As the buyer's statement names it, and whether it is held or asked for. */
function bookText(t: ReturnType<typeof useOfficeText>, text: string): string {
  const [book = "", apart] = text.split(".");
  if (!isOneOf(books, book)) return text;
  const name = t(`statement.book.${book}`);
  if (apart === undefined) return name;
  return `${name}, ${t(apart === "asked" ? "office.section.withdrawals" : "office.column.held")}`;
}

const isOneOf = <Value extends string>(all: readonly Value[], text: string): text is Value =>
  (all as readonly string[]).includes(text);

export const currencyName = (id: string) => currencies.find((currency) => currency.id === id)?.name ?? id;

/** Leads to what a section finds by it. */
function Searching({ section, text }: { section: OfficeSection; text: string }) {
  const language = useLanguage();
  return (
    <Link
      href={`${paths.office(language, section)}?${new URLSearchParams({ search: text })}`}
      className={styles.text}
    >
      <Exact>{text}</Exact>
    </Link>
  );
}

/** Columns of the journal and of adjustments that name things by their numbers. */
const linking = new Set(["about", "by", "decided"]);

const numberText = (language: string, value: number) =>
  new Intl.NumberFormat(`${language}-u-nu-latn`, { maximumFractionDigits: 3 }).format(value);

function Texts({ texts }: { texts: readonly string[] }) {
  const t = useOfficeText();
  const [first, rest] = [texts.slice(0, textsShown), texts.slice(textsShown)];
  if (first.length === 0) return <span className={styles.none}>—</span>;
  return (
    <div className={styles.text}>
      <Exact>{first.join(", ")}</Exact>
      {rest.length > 0 && (
        <details>
          <summary className={styles.fold}>{t("office.more", { count: rest.length })}</summary>
          <Exact>{rest.join(", ")}</Exact>
        </details>
      )}
    </div>
  );
}

function Json({ text }: { text: string }) {
  const t = useOfficeText();
  const isShort = text.length <= jsonShown;
  const code = (
    <code dir="ltr" className={styles.json}>
      {isShort ? plain(text) : pretty(text)}
    </code>
  );
  if (isShort) return code;
  return (
    <details>
      <summary className={styles.fold}>{t("office.show")}</summary>
      {code}
    </details>
  );
}

/** Drops braces and quotation marks: each line is a name and its value. */
function plain(text: string): string {
  const value = parsed(text);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return text;
  return Object.entries(value)
    .map(([name, one]) => `${name}: ${typeof one === "string" ? one : JSON.stringify(one)}`)
    .join("\n");
}

const pretty = (text: string) => JSON.stringify(parsed(text), undefined, 2);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
