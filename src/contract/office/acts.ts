// Every act of the back office.
import type { Act, WordsOf } from "./act.ts";
import {
  confirmPayment,
  decideComplaint,
  decideHeld,
  decidePayment,
  decideShares,
  payPartner,
  releaseRate,
} from "./money-acts.ts";
import { adjustBalance, blockUser, clearBatches, decideBatch, grantRole, setShare } from "./people-acts.ts";
import {
  addDomain,
  addHost,
  addSenders,
  addStock,
  blockSite,
  changeDomain,
  removeSenders,
} from "./stock-acts.ts";

export const acts = {
  addDomain,
  changeDomain,
  addStock,
  addHost,
  addSenders,
  removeSenders,
  blockSite,
  blockUser,
  adjustBalance,
  grantRole,
  setShare,
  decideBatch,
  clearBatches,
  payPartner,
  decideHeld,
  decideShares,
  decideComplaint,
  decidePayment,
  confirmPayment,
  releaseRate,
} as const satisfies Record<string, Act>;

export type Acts = typeof acts;
export type ActName = keyof Acts;
/** "users block", as the command says it and the journal keeps it. */
export type ActWords = { [Name in ActName]: WordsOf<keyof Acts[Name]["commands"]> }[ActName];
