import type { Command } from "commander";
import * as catalog from "../catalog/catalog.ts";
import type { InspectedLetter } from "../letters/letters.ts";
import { type Act, list, operator, refused, ok, showCount, showTime, table } from "./answer.ts";
import type { Nouns } from "./nouns.ts";
import { idsOf } from "../platform/ids.ts";
import { readCount, readId } from "./read.ts";

const listMax = 10_000;

export function addLetterCommands({ noun, verb }: Nouns): void {
  const letters = noun("letters", "unclaimed letters, letters to the postmaster");
  verb(
    letters,
    "turned-away",
    "shows the sender domains of unclaimed letters of the last 24 hours, the most letters first",
    (options: { site?: string; limit: number }) => showUnclaimed(options),
  )
    .option("--site <site>", "only letters to mailboxes that wait for this site")
    .option("--limit <count>", "how many domains at most", readCount(listMax), 50);
  const lists: Command = verb(
    letters,
    "list",
    "shows letters, the newest first",
    (options: { postmaster?: true; before?: bigint; limit: number }) => {
      if (!options.postmaster)
        lists.error("error: only letters to the postmaster are listed: give --postmaster");
      return listPostmaster(options);
    },
  )
    .option("--postmaster", "letters to postmaster@ and abuse@ of our mail domains")
    .option("--before <id>", "only what came before this letter", readId)
    .option("--limit <count>", "how many at most", readCount(listMax), 50);
  verb(
    letters,
    "show <id>",
    "shows a letter; of a buyer's only its transport. The journal records it",
    (id: string) => show(readId(id)),
  );
}

/** Loads the whole receipt of letters: too much for other commands. */
export const loadLetters = () => import("../letters/letters.ts");

function showUnclaimed({ site: text, limit }: { site?: string; limit: number }): Act {
  return async ({ db }) => {
    const site = text === undefined ? undefined : await catalog.findSite(db, text);
    if (text !== undefined && !site) return refused(`There is no order for "${text}" yet.`);
    const { listUnclaimed } = await loadLetters();
    const groups = await listUnclaimed(db, { siteId: site?.id, size: limit });
    const shown = table(
      groups,
      [
        { title: "letters", of: ({ letters }) => showCount(letters), right: true },
        { title: "from", of: ({ domain }) => inLine(domain) || "(no sender)" },
        { title: "site", of: (group) => group.site ?? "(no order)" },
        { title: "first", of: ({ firstAt }) => showTime(firstAt) },
        { title: "last", of: ({ lastAt }) => showTime(lastAt) },
        { title: "its sender", of: ({ sender }) => inLine(sender) },
        { title: "its subject", of: ({ subject }) => inLine(subject) },
      ],
      "No letter was unclaimed in the last 24 hours.",
    );
    const next =
      groups.length > 0
        ? "\nIf a domain sends for a site: sites alias <site> <domain> adds it and delivers its letters."
        : "";
    return ok(groups, shown + next);
  };
}

function listPostmaster({ before, limit }: { before?: bigint; limit: number }): Act {
  return async ({ db }) => {
    const { listForPostmaster } = await loadLetters();
    const letters = await listForPostmaster(db, {
      before: before && idsOf(db).read(before),
      size: limit,
    });
    const text = table(
      letters,
      [
        { title: "letter", of: ({ id }) => idsOf(db).show(id), right: true },
        { title: "came", of: ({ arrivedAt }) => showTime(arrivedAt) },
        { title: "from", of: ({ sender, mailFrom }) => inLine(sender ?? mailFrom) },
        { title: "subject", of: ({ subject }) => inLine(subject) },
        { title: "bytes", of: ({ sizeBytes }) => showCount(sizeBytes), right: true },
      ],
      "There is no letter to the postmaster.",
    );
    return ok(
      letters.map((letter) => ({ ...letter, id: idsOf(db).show(letter.id) })),
      text,
    );
  };
}

function show(id: bigint): Act {
  return async ({ db }) => {
    const { inspect } = await loadLetters();
    const letter = await inspect(db, idsOf(db).read(id), operator);
    if (!letter) return refused(`There is no letter ${id}; unclaimed letters are deleted after a day.`);
    const about = list({
      letter: String(id),
      came: showTime(letter.arrivedAt),
      bytes: showCount(letter.sizeBytes),
      "sent by": inLine([letter.helo, letter.remote ?? ""].filter(Boolean).join(" ")),
      envelope: inLine(letter.mailFrom) || "(null sender)",
      from: inLine(letter.sender),
      subject: inLine(letter.subject),
      proves: proofOf(letter),
      is: stateOf(letter),
    });
    const headers = letter.headers ?? "Its bytes are deleted.";
    const parts = [about, headers, ...(letter.text === undefined ? [] : [letter.text])];
    return ok({ ...letter, id }, parts.map(printable).join("\n\n"));
  };
}

function proofOf({ spf, dkim, dmarc, signers }: InspectedLetter): string {
  const results = Object.entries({ spf, dkim, dmarc }).map(
    ([check, result]) => `${check} ${result ?? "unknown"}`,
  );
  return inLine([...results, ...(signers.length > 0 ? [`signed by ${signers.join(", ")}`] : [])].join("; "));
}

function stateOf({ isMatched, isGiven, isPostmasters }: InspectedLetter): string {
  if (isPostmasters) return "for the postmaster";
  if (!isMatched) return "not matched yet";
  return isGiven ? "a buyer's" : "unclaimed";
}

/** Foreign text must not control the terminal: keeps letters and line ends only. */
function printable(text: string): string {
  return text.replace(/[^\P{C}\n\t]/gu, "\uFFFD");
}

function inLine(text: string | null): string {
  return printable((text ?? "").replace(/\s+/g, " "));
}
