import { CirclePause, CirclePlay, Plus, Server, Tag, Warehouse } from "lucide-react";
import { stockAddMax } from "../../../contract/limits.ts";
import { api } from "../../api.ts";
import { exactPrice } from "../../format.ts";
import { useLanguage, useOfficeText } from "../../language.tsx";
import { SelectField } from "../../ui/form/Select.tsx";
import type { RowAction, RowDialogProps } from "../table/RowActions.tsx";
import type { Row } from "../table/tableState.ts";
import type { TableAction } from "../table/TableView.tsx";
import { formText } from "../formText.ts";
import { ActionDialog } from "./ActionDialog.tsx";
import { DollarsField, NameField, NumberField } from "./fields.tsx";
import { RegisterHost } from "./hosts.tsx";

type OfDomain = RowDialogProps<Row<"domains">>;

const kinds = ["own", "hosted"] as const;

function AddDomain({ onClose }: { onClose: () => void }) {
  const t = useOfficeText();
  return (
    <ActionDialog
      title={t("office.domain.add")}
      says={t("office.domain.add.says")}
      send={(form) =>
        api.addDomain({
          name: formText(form, "name"),
          price: formText(form, "price"),
          kind: formText(form, "kind") === "hosted" ? "hosted" : "own",
        })
      }
      done={({ name }) => t("office.domain.added", { name })}
      onClose={onClose}
    >
      <NameField name="name" label={t("office.domain.name")} placeholder="mail.example.com" />
      <SelectField
        name="kind"
        label={t("office.column.kind")}
        choices={kinds.map((kind) => ({ value: kind, label: t(`office.kind.${kind}`) }))}
      />
      <DollarsField name="price" label={t("office.domain.price.of")} />
    </ActionDialog>
  );
}

function ChangePrice({ row, onClose }: OfDomain) {
  const t = useOfficeText();
  const language = useLanguage();
  const name = row.name ?? "";
  const before = exactPrice(language, row.price ?? "0");
  return (
    <ActionDialog
      title={t("office.domain.price", { name })}
      says={t("office.domain.price.says", { name, before })}
      action={t("office.domain.price.do")}
      send={(form) => api.changeDomain({ name, price: formText(form, "price") })}
      done={({ price }) => t("office.domain.priced", { name, before, after: exactPrice(language, price) })}
      onClose={onClose}
    >
      <DollarsField name="price" label={t("office.domain.price.of")} defaultValue={row.price ?? ""} />
    </ActionDialog>
  );
}

function SwitchDomain({ row, onClose, on }: OfDomain & { on: boolean }) {
  const t = useOfficeText();
  const name = row.name ?? "";
  const way = on ? "on" : "off";
  return (
    <ActionDialog
      title={t(`office.domain.${way}`)}
      says={t(`office.domain.${way}.says`, { name })}
      isDangerous={!on}
      send={() => api.changeDomain({ name, on })}
      done={() => t(`office.domain.${way}.done`, { name })}
      onClose={onClose}
    />
  );
}

function AddStock({ row, onClose }: OfDomain) {
  const t = useOfficeText();
  const domain = row.name ?? "";
  return (
    <ActionDialog
      title={t("office.stock.add")}
      says={t("office.stock.says", { name: domain, count: row.mailboxes ?? 0 })}
      send={(form) => api.addStock({ domain, count: Number(formText(form, "count")) })}
      done={({ added, mailboxes }) => t("office.stock.added", { count: added, mailboxes })}
      onClose={onClose}
    >
      <NumberField required name="count" label={t("office.stock.count")} max={stockAddMax} />
    </ActionDialog>
  );
}

export const domainTableActions: readonly TableAction[] = [
  { label: "office.domain.add", Icon: Plus, Dialog: AddDomain },
];

export const domainActions: readonly RowAction<Row<"domains">>[] = [
  { label: "office.domain.price.do", Icon: Tag, Dialog: ChangePrice },
  {
    label: "office.domain.on",
    Icon: CirclePlay,
    fits: ({ on }) => on === false,
    Dialog: (props) => <SwitchDomain {...props} on />,
  },
  {
    label: "office.domain.off",
    Icon: CirclePause,
    fits: ({ on }) => on === true,
    Dialog: (props) => <SwitchDomain {...props} on={false} />,
  },
  { label: "office.stock.add", Icon: Warehouse, fits: ({ kind }) => kind === "own", Dialog: AddStock },
  {
    label: "office.host.add",
    Icon: Server,
    fits: ({ kind, imap }) => kind === "hosted" && imap === null,
    Dialog: ({ row, onClose }) => <RegisterHost domain={row.name ?? ""} onClose={onClose} />,
  },
  {
    label: "office.host.change",
    Icon: Server,
    fits: ({ kind, imap }) => kind === "hosted" && imap !== null,
    Dialog: ({ row, onClose }) => (
      <RegisterHost
        domain={row.name ?? ""}
        imap={row.imap ?? ""}
        tls={row.tls ?? undefined}
        onClose={onClose}
      />
    ),
  },
];
