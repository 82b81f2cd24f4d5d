import { signOfNumber } from "../../contract/office/objects.ts";
import type { OfficeObject } from "../paths.ts";

/** Of eleven digits the first one tells the kind. */
const byFirstDigit: Readonly<Record<string, OfficeObject>> = { 3: "payment", 4: "order", 6: "letter" };

/** The number of a thing as people write it, and what it may be the number of. */
export function numberAsked(text: string): { id: string; objects: readonly OfficeObject[] } | undefined {
  const [id] = /^[1-9][0-9]{0,17}$/.exec(text.trim().replace(signOfNumber, "")) ?? [];
  if (id === undefined) return undefined;
  if (id.length < 11) return { id, objects: ["user", "batch"] };
  const object = byFirstDigit[id.slice(0, 1)];
  return { id, objects: object === undefined ? [] : [object] };
}

/** Whether a name has a word that begins with what was typed. */
export const isBegun = (name: string, typed: string): boolean => {
  const wanted = typed.trim().toLowerCase();
  const text = name.toLowerCase();
  return (
    wanted !== "" &&
    (text.startsWith(wanted) || text.split(/[\s:,]+/).some((word) => word.startsWith(wanted)))
  );
};

/** "credit someone@example.org": an act by its first letters, and on whom; nothing if it is one word too short for an act. */
export function actAsked(text: string): { verb: string; who: string } | undefined {
  const [, verb = "", who = ""] = /^(\p{L}\S+)(?:\s+(.*))?$/u.exec(text.trim()) ?? [];
  return verb === "" ? undefined : { verb, who: who.replace(signOfNumber, "") };
}
