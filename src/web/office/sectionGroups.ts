import {
  Activity,
  ArrowLeftRight,
  Banknote,
  Boxes,
  CalendarDays,
  Coins,
  Globe,
  HandCoins,
  History,
  Hourglass,
  Inbox,
  LayoutDashboard,
  ListChecks,
  ListRestart,
  type LucideIcon,
  MailX,
  MessageCircleQuestion,
  MessageSquareWarning,
  Package,
  Percent,
  PiggyBank,
  Scale,
  ScrollText,
  Search,
  Server,
  ShieldAlert,
  Tags,
  UserSearch,
  Users,
  Wallet,
} from "lucide-react";
import type { OfficeSection } from "../paths.ts";

interface Section {
  section: OfficeSection;
  Icon: LucideIcon;
}

export const groups = {
  shop: [
    { section: "overview", Icon: LayoutDashboard },
    { section: "days", Icon: CalendarDays },
    { section: "find", Icon: Search },
    { section: "setup", Icon: ListChecks },
    { section: "domains", Icon: Boxes },
    { section: "prices", Icon: Tags },
    { section: "pricechanges", Icon: History },
    { section: "hosts", Icon: Server },
    { section: "sites", Icon: Globe },
    { section: "letters", Icon: MailX },
    { section: "outcomes", Icon: Percent },
  ],
  people: [
    { section: "users", Icon: Users },
    { section: "orders", Icon: Inbox },
    { section: "payments", Icon: Banknote },
    { section: "questions", Icon: MessageCircleQuestion },
    { section: "chains", Icon: Coins },
    { section: "rates", Icon: ArrowLeftRight },
    { section: "adjustments", Icon: Scale },
  ],
  payouts: [
    { section: "partners", Icon: HandCoins },
    { section: "withdrawals", Icon: Wallet },
    { section: "held", Icon: UserSearch },
    { section: "investors", Icon: PiggyBank },
    { section: "batches", Icon: Package },
    { section: "shares", Icon: Hourglass },
    { section: "complaints", Icon: MessageSquareWarning },
  ],
  running: [
    { section: "tasks", Icon: ListRestart },
    { section: "health", Icon: Activity },
    { section: "security", Icon: ShieldAlert },
    { section: "journal", Icon: ScrollText },
  ],
} as const satisfies Record<string, readonly Section[]>;

export const groupNames = Object.keys(groups) as (keyof typeof groups)[];
