import { uploadBytesMax } from "../../contract/limits.ts";

/** What a batch of mailboxes may come in, judged before anything is sent (spec O §5). */
export type BatchFileError = "notText" | "tooLarge" | "empty";

const stepBytes = 1024;

export const uploadMegabytesMax = uploadBytesMax / stepBytes ** 2;

/** What is wrong with a chosen file, if anything is. */
export function batchFileError({ name, size }: Pick<File, "name" | "size">): BatchFileError | undefined {
  if (!name.toLowerCase().endsWith(".txt")) return "notText";
  if (size > uploadBytesMax) return "tooLarge";
  return size === 0 ? "empty" : undefined;
}

const units = ["b", "kb", "mb"] as const;

/** A size in the largest unit of B, KB and MB that it fills (spec O §2), as steps of 1024 like the limit; at most one decimal. */
export function sizeIn(bytes: number): { amount: number; unit: (typeof units)[number] } {
  const at = bytes >= stepBytes ** 2 ? 2 : bytes >= stepBytes ? 1 : 0;
  // Rounded down: a file just beyond the limit is told as the limit at least, one within it never as more.
  return { amount: Math.floor((bytes / stepBytes ** at) * 10) / 10, unit: units[at] ?? "b" };
}
