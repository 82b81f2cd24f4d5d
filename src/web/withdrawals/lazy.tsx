// Loaded where the shop takes requests for withdrawals alone.
import { lazyPart } from "../lazyPart.tsx";

export const WithdrawText = lazyPart(async () => (await import("./WithdrawControl.tsx")).WithdrawText);
export const WithdrawButton = lazyPart(async () => (await import("./WithdrawControl.tsx")).WithdrawButton);
export const WithdrawalList = lazyPart(async () => (await import("./WithdrawalList.tsx")).WithdrawalList);
