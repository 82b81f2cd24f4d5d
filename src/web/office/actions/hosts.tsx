import { Plus, Settings2 } from "lucide-react";
import { useState } from "react";
import { tlsWays } from "../../../contract/catalog.ts";
import { certificatesLengthMax, hostConnectionsMax, hostLoginsMax } from "../../../contract/limits.ts";
import { api } from "../../api.ts";
import { useOfficeText } from "../../language.tsx";
import { TextAreaField } from "../../ui/form/TextAreaField.tsx";
import { verbatim } from "../../ui/form/Input.tsx";
import { SelectField } from "../../ui/form/Select.tsx";
import type { RowAction } from "../table/RowActions.tsx";
import type { Row } from "../table/tableState.ts";
import type { TableAction } from "../table/TableView.tsx";
import { formText } from "../formText.ts";
import { ActionDialog } from "./ActionDialog.tsx";
import styles from "./Actions.module.css";
import { NameField, NumberField } from "./fields.tsx";

interface RegisterHostProps {
  domain?: string | undefined;
  /** Host and port. */
  imap?: string;
  tls?: string | undefined;
  connections?: number | undefined;
  logins?: number | undefined;
  onClose: () => void;
}

export function RegisterHost(props: RegisterHostProps) {
  const { domain = "", imap: known = "", tls, connections, logins, onClose } = props;
  const t = useOfficeText();
  const action = t(known === "" ? "office.host.add" : "office.host.change");
  return (
    <ActionDialog
      title={action}
      says={t("office.host.says")}
      send={(form) =>
        api.addHost({
          domain: formText(form, "domain"),
          imap: formText(form, "imap"),
          tls: tlsWays.find((way) => way === formText(form, "tls")) ?? "implicit",
          ...number(form, "connections"),
          ...number(form, "logins"),
          ...trust(form),
        })
      }
      done={({ domain: name, imap }) => t("office.host.added", { name, imap })}
      onClose={onClose}
    >
      <NameField name="domain" label={t("office.domain.name")} defaultValue={domain} />
      <NameField
        name="imap"
        label={t("office.column.imap")}
        placeholder="imap.example.com:993"
        defaultValue={known}
      />
      <SelectField
        name="tls"
        label={t("office.column.tls")}
        defaultValue={tls}
        choices={tlsWays.map((way) => ({ value: way, label: t(`office.choice.${way}`) }))}
      />
      <TrustFields isNew={known === ""} />
      <NumberField
        name="connections"
        label={t("office.column.connections")}
        max={hostConnectionsMax}
        defaultValue={connections}
      />
      <NumberField
        name="logins"
        label={t("office.column.logins")}
        max={hostLoginsMax}
        defaultValue={logins}
      />
    </ActionDialog>
  );
}

const trusts = ["same", "known", "own"] as const;

function TrustFields({ isNew }: { isNew: boolean }) {
  const t = useOfficeText();
  const [chosen, setChosen] = useState("same");
  return (
    <>
      <SelectField
        name="trust"
        label={t("office.host.trust")}
        value={chosen}
        choices={trusts.map((way) => ({ value: way, label: t(`office.host.trust.${way}`) }))}
        {...(isNew && { hint: t("office.host.trust.hint") })}
        onChange={(event) => setChosen(event.target.value)}
      />
      {chosen === "own" && (
        <TextAreaField
          required
          name="ca"
          label={t("office.host.certificates")}
          hint={t("office.host.certificates.hint")}
          placeholder="-----BEGIN CERTIFICATE-----"
          className={styles.code}
          maxLength={certificatesLengthMax}
          {...verbatim}
        />
      )}
    </>
  );
}

function trust(form: FormData): { ca?: string; known_ca?: true } {
  switch (formText(form, "trust")) {
    case "own":
      return { ca: formText(form, "ca") };
    case "known":
      return { known_ca: true };
    default:
      return {};
  }
}

function number(form: FormData, name: "connections" | "logins"): { connections?: number; logins?: number } {
  const value = formText(form, name);
  return value === "" ? {} : { [name]: Number(value) };
}

export const hostTableActions: readonly TableAction[] = [
  { label: "office.host.add", Icon: Plus, Dialog: RegisterHost },
];

export const hostActions: readonly RowAction<Row<"hosts">>[] = [
  {
    label: "office.host.change",
    Icon: Settings2,
    // A server is addressed by a domain that it serves.
    fits: ({ domains }) => (domains?.length ?? 0) > 0,
    Dialog: ({ row, onClose }) => (
      <RegisterHost
        domain={row.domains?.[0]}
        imap={row.host ?? ""}
        tls={row.tls ?? undefined}
        connections={row.connections ?? undefined}
        logins={row.logins ?? undefined}
        onClose={onClose}
      />
    ),
  },
];
