import {
  Activity,
  Banknote,
  Boxes,
  Coins,
  Globe,
  HandCoins,
  Inbox,
  LayoutDashboard,
  type LucideIcon,
  MailX,
  Package,
  PiggyBank,
  ScrollText,
  Server,
  UserSearch,
  Users,
} from "lucide-react";
import type { OfficeSection } from "../paths.ts";
import type { TableName } from "./tables.ts";

interface Section {
  section: OfficeSection;
  Icon: LucideIcon;
  /** What is shown there, where it is a table of the contract. */
  table?: TableName;
}

/** The sections by what they are about, in the order in which they stand. */
export const groups = {
  shop: [
    { section: "overview", Icon: LayoutDashboard },
    { section: "domains", Icon: Boxes, table: "domains" },
    { section: "hosts", Icon: Server, table: "hosts" },
    { section: "sites", Icon: Globe, table: "sites" },
    { section: "letters", Icon: MailX, table: "turned_away" },
  ],
  people: [
    { section: "users", Icon: Users, table: "users" },
    { section: "orders", Icon: Inbox, table: "orders" },
    { section: "payments", Icon: Banknote, table: "payments" },
    { section: "chains", Icon: Coins },
  ],
  payouts: [
    { section: "partners", Icon: HandCoins, table: "partners" },
    { section: "held", Icon: UserSearch },
    { section: "investors", Icon: PiggyBank, table: "investors" },
    { section: "batches", Icon: Package, table: "batches" },
  ],
  running: [
    { section: "health", Icon: Activity, table: "jobs" },
    { section: "journal", Icon: ScrollText, table: "journal" },
  ],
} as const satisfies Record<string, readonly Section[]>;

export const groupNames = Object.keys(groups) as (keyof typeof groups)[];

/** The section that shows a table. */
export const sectionOf: Partial<Record<TableName, OfficeSection>> = Object.fromEntries(
  Object.values(groups).flatMap((sections) =>
    sections.flatMap((one: Section) => (one.table ? [[one.table, one.section]] : [])),
  ),
);
