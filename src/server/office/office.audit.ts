import type { Invariant } from "../../contract/office/audit.ts";
import { now } from "../platform/clock.ts";
import type { Db } from "../platform/db/db.ts";
import { audit } from "../orders/orders.ts";
import type { Payments } from "../payments/payments.ts";
import { putOutcome } from "./office.audit.sql.ts";

export interface Books {
  readonly db: Db;
  readonly payments: Pick<Payments, "audit">;
}

/** Checks every invariant of the shop and saves how many are broken. "too long": not done within so many seconds. */
export async function auditShop(books: Books): Promise<Invariant[]>;
export async function auditShop(books: Books, bound: { seconds: number }): Promise<Invariant[] | "too long">;
export async function auditShop(
  { db, payments }: Books,
  bound?: { seconds: number },
): Promise<Invariant[] | "too long"> {
  const at = now();
  const found = await (bound ? audit(db, bound) : audit(db));
  if (found === "too long") return found;
  const invariants = [...found, ...(await payments.audit())];
  await putOutcome(db, { broken: invariants.filter(({ bad }) => bad.length > 0).length, at });
  return invariants;
}
