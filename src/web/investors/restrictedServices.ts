import { restrictedSitesMax } from "../../contract/limits.ts";

/** What was typed for the restricted services, and what comes of it (spec O §5). */
export interface Added {
  /** The whole list, what is new at its end. */
  services: readonly string[];
  /** What stays in the input, to be mended there. */
  left: string;
  /** Why something stays; of several reasons the one that is told. */
  trouble?: (typeof troublesByWeight)[number];
  /** Is it only a part of what was entered that stays for not being a domain? */
  some: boolean;
}

const troublesByWeight = ["invalidDomain", "alreadyExists", "tooMany"] as const;

const label =
  "[\\p{Script=Latin}\\p{Script=Cyrillic}0-9](?:[\\p{Script=Latin}\\p{Script=Cyrillic}0-9-]*[\\p{Script=Latin}\\p{Script=Cyrillic}0-9])?";
/** name.tld with at least two letters; a top-level domain of another script may stand in its ASCII form too. */
const domain = new RegExp(
  `^(?:${label}\\.)+(?:[\\p{Script=Latin}\\p{Script=Cyrillic}]{2,}|xn--[a-z0-9-]*[a-z0-9])$`,
  "u",
);
const refusedSigns = /[^\p{Script=Latin}\p{Script=Cyrillic}0-9.-]/gu;
/** A scheme that is just being typed would lose its colon, and the rest become a part of the name. */
const unfinishedScheme = /^https?:\/?$/;

/** What the input keeps of what is typed into it. */
export const cleanServices = (text: string): string => text.split(",").map(cleanOne).join(",");

function cleanOne(text: string): string {
  const entry = text.trim().normalize("NFC").toLowerCase();
  if (unfinishedScheme.test(entry)) return entry;
  return entry
    .replace(/^[a-z][a-z0-9+.-]*:\/\//, "")
    .replace(/[/?#].*$/s, "")
    .replace(refusedSigns, "")
    .replace(/^www\./, "");
}

/** A pasted list may have a line for each, where an input would join the lines to one name. */
export const pastedServices = (text: string): string =>
  text
    .trim()
    .split(/[\s,;]+/)
    .join(",");

/** Adds what was entered: what is no domain, and what is there already, stays in the input. */
export function addServices(services: readonly string[], text: string): Added {
  const entries = cleanServices(text).split(",").filter(Boolean);
  const all = [...services];
  const left: string[] = [];
  const troubles = new Set<Added["trouble"]>();
  for (const entry of entries) {
    const trouble = troubleOf(entry, all);
    if (trouble === undefined) all.push(entry);
    else left.push(entry);
    troubles.add(trouble);
  }
  const trouble = troublesByWeight.find((one) => troubles.has(one));
  return {
    services: all,
    left: left.join(","),
    ...(trouble && { trouble }),
    some: trouble === "invalidDomain" && entries.length > 1,
  };
}

function troubleOf(entry: string, all: readonly string[]): Added["trouble"] {
  if (!domain.test(entry)) return "invalidDomain";
  if (all.includes(entry)) return "alreadyExists";
  return all.length >= restrictedSitesMax ? "tooMany" : undefined;
}
