import { uploadBytesMax } from "../../contract/limits.ts";

/** Why the browser rejects a file before sending it (spec O §5). */
export type BatchFileError = "notText" | "tooLarge" | "empty";

const stepBytes = 1024;

export const uploadMegabytesMax = uploadBytesMax / stepBytes ** 2;

export function batchFileError({ name, size }: Pick<File, "name" | "size">): BatchFileError | undefined {
  if (!name.toLowerCase().endsWith(".txt")) return "notText";
  if (size > uploadBytesMax) return "tooLarge";
  return size === 0 ? "empty" : undefined;
}

const units = ["b", "kb", "mb"] as const;

/** A size in the largest fitting unit of B, KB and MB (spec O §2): steps of 1024, at most one decimal. */
export function sizeIn(bytes: number): { amount: number; unit: (typeof units)[number] } {
  const at = bytes >= stepBytes ** 2 ? 2 : bytes >= stepBytes ? 1 : 0;
  // Rounds down: a file over the limit never shows less than the limit, one within it never more.
  return { amount: Math.floor((bytes / stepBytes ** at) * 10) / 10, unit: units[at] ?? "b" };
}
