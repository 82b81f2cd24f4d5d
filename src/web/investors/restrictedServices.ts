import { restrictedSitesMax } from "../../contract/limits.ts";

/** The result of adding typed services (spec O §5). */
export interface Added {
  services: readonly string[];
  left: string;
  trouble?: (typeof troublesByWeight)[number];
  some: boolean;
}

const troublesByWeight = ["invalidDomain", "alreadyExists", "tooMany"] as const;

const label =
  "[\\p{Script=Latin}\\p{Script=Cyrillic}0-9](?:[\\p{Script=Latin}\\p{Script=Cyrillic}0-9-]*[\\p{Script=Latin}\\p{Script=Cyrillic}0-9])?";
/** name.tld with at least two letters; a non-Latin top-level domain also in its ASCII form. */
const domain = new RegExp(
  `^(?:${label}\\.)+(?:[\\p{Script=Latin}\\p{Script=Cyrillic}]{2,}|xn--[a-z0-9-]*[a-z0-9])$`,
  "u",
);
const refusedSigns = /[^\p{Script=Latin}\p{Script=Cyrillic}0-9.-]/gu;
/** Cleaning a half-typed scheme would turn its rest into a name. */
const unfinishedScheme = /^https?:\/?$/;

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

/** Turns the lines of a pasted list into commas; an input would join them to one name. */
export const pastedServices = (text: string): string =>
  text
    .trim()
    .split(/[\s,;]+/)
    .join(",");

/** Adds the entered domains; invalid and duplicate ones stay in the input. */
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
