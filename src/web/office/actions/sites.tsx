import { Ban, LockOpen, MailMinus, MailPlus, Plus } from "lucide-react";
import { api } from "../../api.ts";
import { useOfficeText } from "../../language.tsx";
import { SelectField } from "../../ui/form/Select.tsx";
import type { RowAction, RowDialogProps } from "../table/RowActions.tsx";
import type { Row } from "../table/tableState.ts";
import type { TableAction } from "../table/TableView.tsx";
import { formText } from "../formText.ts";
import { ActionDialog } from "./ActionDialog.tsx";
import { NameField } from "./fields.tsx";

interface AddSendersProps {
  site?: string;
  domains?: string;
  onClose: () => void;
}

/** Delivers waiting letters at once; the answer counts them. */
export function AddSenders({ site = "", domains = "", onClose }: AddSendersProps) {
  const t = useOfficeText();
  return (
    <ActionDialog
      title={t("office.senders.add")}
      says={t("office.senders.says")}
      send={(form) => api.addSenders({ site: formText(form, "site"), domains: formText(form, "domains") })}
      done={({ delivered, too_late: late, unfit }) => t("office.senders.added", { delivered, late, unfit })}
      warns={({ shared }) =>
        shared.length === 0
          ? undefined
          : t("office.senders.shared", {
              domains: shared.map(({ domain, sites }) => `${domain} (${sites.join(", ")})`).join(", "),
            })
      }
      onClose={onClose}
    >
      <NameField
        name="site"
        label={t("office.column.site")}
        defaultValue={site}
        placeholder="site.example.com"
      />
      <NameField
        name="domains"
        label={t("office.column.senders")}
        hint={t("office.senders.hint")}
        defaultValue={domains}
        placeholder="mail.example.com"
      />
    </ActionDialog>
  );
}

function RemoveSender({ row, onClose }: RowDialogProps<Row<"sites">>) {
  const t = useOfficeText();
  const site = row.name ?? "";
  return (
    <ActionDialog
      title={t("office.senders.remove")}
      says={t("office.senders.remove.says", { name: site })}
      isDangerous
      send={(form) => api.removeSenders({ site, domains: formText(form, "domains") })}
      done={({ senders }) => t("office.senders.removed", { domain: senders.join(", "), name: site })}
      onClose={onClose}
    >
      <SelectField
        data-autofocus
        name="domains"
        label={t("office.column.sender")}
        choices={(row.senders ?? []).map((domain) => ({ value: domain, label: domain }))}
      />
    </ActionDialog>
  );
}

function Block({ row, onClose, blocked }: RowDialogProps<Row<"sites">> & { blocked: boolean }) {
  const t = useOfficeText();
  const way = blocked ? "block" : "unblock";
  const holes = { name: row.name ?? "", count: row.living ?? 0 };
  return (
    <ActionDialog
      title={t(`office.site.${way}`)}
      says={t(`office.site.${way}.says`, holes)}
      isDangerous={blocked}
      send={() => api.blockSite({ site: holes.name, blocked })}
      done={() => t(`office.site.${way}.done`, { name: holes.name })}
      onClose={onClose}
    />
  );
}

function BlockSite({ onClose }: { onClose: () => void }) {
  const t = useOfficeText();
  return (
    <ActionDialog
      title={t("office.site.block")}
      says={t("office.site.block.any")}
      isDangerous
      send={(form) => api.blockSite({ site: formText(form, "site"), blocked: true })}
      done={({ site }) => t("office.site.block.done", { name: site })}
      onClose={onClose}
    >
      <NameField name="site" label={t("office.column.site")} placeholder="site.example.com" />
    </ActionDialog>
  );
}

export const siteTableActions: readonly TableAction[] = [
  { label: "office.senders.add", Icon: Plus, Dialog: AddSenders },
  { label: "office.site.block", Icon: Ban, Dialog: BlockSite },
];

export const siteActions: readonly RowAction<Row<"sites">>[] = [
  {
    label: "office.senders.add",
    Icon: MailPlus,
    Dialog: ({ row, onClose }) => <AddSenders site={row.name ?? ""} onClose={onClose} />,
  },
  {
    label: "office.senders.remove",
    Icon: MailMinus,
    fits: ({ senders }) => (senders?.length ?? 0) > 0,
    Dialog: RemoveSender,
  },
  {
    label: "office.site.block",
    Icon: Ban,
    fits: ({ blocked }) => blocked === false,
    Dialog: (props) => <Block {...props} blocked />,
  },
  {
    label: "office.site.unblock",
    Icon: LockOpen,
    fits: ({ blocked }) => blocked === true,
    Dialog: (props) => <Block {...props} blocked={false} />,
  },
];
