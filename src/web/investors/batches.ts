import type * as z from "zod/mini";
import type { InvestorBatch, RejectedLines } from "../../contract/investors.ts";

export type Batch = z.output<typeof InvestorBatch>;
export type Rejected = z.output<typeof RejectedLines>;

export interface BatchPage {
  batches: Batch[];
  total: number;
}

/** The batches of an answer, which numbers them by place on the page (spec O §3); undefined for another shape. */
export function batchesIn(answer: Record<string, unknown>): BatchPage | undefined {
  const { total } = answer;
  const batches = Object.keys(answer)
    .filter((key) => /^\d+$/.test(key))
    .toSorted((one, other) => Number(one) - Number(other))
    .map((key) => answer[key]);
  return typeof total === "number" && batches.every(isBatch) ? { batches, total } : undefined;
}

function isBatch(value: unknown): value is Batch {
  if (typeof value !== "object" || value === null) return false;
  const { id_batch: id, created_at: at, domain_names: domains, rejected } = value as Partial<Batch>;
  return typeof id === "string" && typeof at === "number" && Array.isArray(domains) && rejected !== undefined;
}

export const isChecking = ({ state }: Batch): boolean => state === "stored" || state === "sampling";

export const rejectReasons = ["malformed", "unknown_domain", "duplicate_in_file", "duplicate"] as const;

export const rejectedIn = (rejected: Rejected): number =>
  rejectReasons.reduce((all, reason) => all + rejected[reason], 0);
