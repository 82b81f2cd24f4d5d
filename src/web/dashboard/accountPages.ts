import { Code, HandCoins, Inbox, Lock, Package, ReceiptText, Wallet } from "lucide-react";

/** The pages of an account, in the order of their links. */
export const accountPages = [
  { to: "dashboard", label: "dashboard.orders", Icon: Inbox },
  { to: "payments", label: "payments.title", Icon: Wallet },
  { to: "statement", label: "statement.title", Icon: ReceiptText },
  { to: "programs", label: "programs.title", Icon: Code },
  { to: "security", label: "security.title", Icon: Lock },
  { to: "partner", label: "dashboard.partner", Icon: HandCoins },
  { to: "investor", label: "dashboard.investor", Icon: Package },
] as const;
