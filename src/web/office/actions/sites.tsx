import { Ban, LockOpen, MailMinus, MailPlus, Plus } from "lucide-react";
import { useOfficeText } from "../../language.tsx";
import { SelectField } from "../../ui/form/Select.tsx";
import type { RowAction } from "../table/RowActions.tsx";
import type { Row } from "../table/tableState.ts";
import { actsOn } from "./ActDialog.tsx";

/** Delivers waiting letters at once; the answer counts them. `start` is what the row knows. */
export const addSenders = <Of,>(
  Icon: typeof Plus,
  start: (row: Of) => { site?: string | null; domains?: string | null } = () => ({}),
): RowAction<Of> =>
  actsOn<Of>()({
    act: "addSenders",
    title: "office.senders.add",
    says: "office.senders.says",
    done: "office.senders.added",
    Icon,
    start,
    result: ({ delivered, too_late: late, unfit }) => ({ delivered, late, unfit }),
    warns: ({ shared }, { t }) =>
      shared.length === 0
        ? undefined
        : t("office.senders.shared", {
            domains: shared.map(({ domain, sites }) => `${domain} (${sites.join(", ")})`).join(", "),
          }),
  });

export const siteTableActions = [
  addSenders<undefined>(Plus),
  actsOn<undefined>()({
    act: "blockSite",
    title: "office.site.block",
    says: "office.site.block.any",
    Icon: Ban,
    isDangerous: true,
    of: () => ({ blocked: true }),
    result: ({ site }) => ({ name: site }),
  }),
];

type Site = Row<"sites">;
const act = actsOn<Site>();

function OneSender({ row }: { row: Site }) {
  const t = useOfficeText();
  const choices = (row.senders ?? []).map((domain) => ({ value: domain, label: domain }));
  return <SelectField data-autofocus name="domains" label={t("office.column.sender")} choices={choices} />;
}

const block = (way: "block" | "unblock") =>
  act({
    act: "blockSite",
    title: `office.site.${way}`,
    Icon: way === "block" ? Ban : LockOpen,
    fits: ({ blocked }) => blocked === (way === "unblock"),
    isDangerous: way === "block",
    of: ({ name }) => ({ site: name ?? "", blocked: way === "block" }),
    holes: ({ name, living }) => ({ name: name ?? "", count: living ?? 0 }),
  });

export const siteActions: readonly RowAction<Site>[] = [
  addSenders(MailPlus, ({ name }) => ({ site: name })),
  act({
    act: "removeSenders",
    title: "office.senders.remove",
    done: "office.senders.removed",
    Icon: MailMinus,
    fits: ({ senders }) => (senders?.length ?? 0) > 0,
    isDangerous: true,
    of: ({ name }) => ({ site: name ?? "" }),
    fields: { domains: { Input: OneSender } },
    holes: ({ name }) => ({ name: name ?? "" }),
    result: ({ senders }) => ({ domain: senders.join(", ") }),
  }),
  block("block"),
  block("unblock"),
];
