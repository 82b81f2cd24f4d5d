import { CirclePause, CirclePlay, Plus, Server, Tag, Warehouse } from "lucide-react";
import { stockAddMax } from "../../../contract/limits.ts";
import { api } from "../../api.ts";
import { exactPrice } from "../../format.ts";
import { useLanguage, useOfficeText } from "../../language.tsx";
import { SelectField } from "../../ui/form/Select.tsx";
import type { RowAct } from "../RowActs.tsx";
import type { Row } from "../tables.ts";
import type { Beginning } from "../TableView.tsx";
import { typed } from "../typed.ts";
import { ActDialog } from "./ActDialog.tsx";
import { DollarsField, NameField, NumberField } from "./fields.tsx";
import { RegisterHost } from "./hosts.tsx";

interface OfDomain {
  row: Row<"domains">;
  onClose: () => void;
}

const kinds = ["own", "hosted"] as const;

function AddDomain({ onClose }: { onClose: () => void }) {
  const t = useOfficeText();
  return (
    <ActDialog
      title={t("office.domain.add")}
      says={t("office.domain.add.says")}
      action={t("office.domain.add")}
      send={(form) =>
        api.addDomain({
          name: typed(form, "name"),
          price: typed(form, "price"),
          kind: typed(form, "kind") === "hosted" ? "hosted" : "own",
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
    </ActDialog>
  );
}

function ChangePrice({ row, onClose }: OfDomain) {
  const t = useOfficeText();
  const language = useLanguage();
  const name = row.name ?? "";
  const before = exactPrice(language, row.price ?? "0");
  return (
    <ActDialog
      title={t("office.domain.price", { name })}
      says={t("office.domain.price.says", { name, before })}
      action={t("office.domain.price.do")}
      send={(form) => api.changeDomain({ name, price: typed(form, "price") })}
      done={({ price }) => t("office.domain.priced", { name, before, after: exactPrice(language, price) })}
      onClose={onClose}
    >
      <DollarsField name="price" label={t("office.domain.price.of")} defaultValue={row.price ?? ""} />
    </ActDialog>
  );
}

function Switch({ row, onClose, on }: OfDomain & { on: boolean }) {
  const t = useOfficeText();
  const name = row.name ?? "";
  const way = on ? "on" : "off";
  return (
    <ActDialog
      title={t(`office.domain.${way}`)}
      says={t(`office.domain.${way}.says`, { name })}
      action={t(`office.domain.${way}`)}
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
    <ActDialog
      title={t("office.stock.add")}
      says={t("office.stock.says", { name: domain, count: row.mailboxes ?? 0 })}
      action={t("office.stock.add")}
      send={(form) => api.addStock({ domain, count: Number(typed(form, "count")) })}
      done={({ added, mailboxes }) => t("office.stock.added", { count: added, mailboxes })}
      onClose={onClose}
    >
      <NumberField required name="count" label={t("office.stock.count")} max={stockAddMax} />
    </ActDialog>
  );
}

export const domainBeginnings: readonly Beginning[] = [
  { label: "office.domain.add", Icon: Plus, Dialog: AddDomain },
];

export const domainActs: readonly RowAct<Row<"domains">>[] = [
  { label: "office.domain.price.do", Icon: Tag, Dialog: ChangePrice },
  {
    label: "office.domain.on",
    Icon: CirclePlay,
    fits: ({ on }) => on === false,
    Dialog: (props) => <Switch {...props} on />,
  },
  {
    label: "office.domain.off",
    Icon: CirclePause,
    fits: ({ on }) => on === true,
    Dialog: (props) => <Switch {...props} on={false} />,
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
