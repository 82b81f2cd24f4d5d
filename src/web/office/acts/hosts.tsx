import { Plus, Settings2 } from "lucide-react";
import { useState } from "react";
import { tlsWays } from "../../../contract/catalog.ts";
import { certificatesLengthMax, hostConnectionsMax, hostLoginsMax } from "../../../contract/limits.ts";
import { api } from "../../api.ts";
import { useOfficeText } from "../../language.tsx";
import { TextAreaField } from "../../ui/form/TextAreaField.tsx";
import { SelectField } from "../../ui/form/Select.tsx";
import type { RowAct } from "../RowActs.tsx";
import type { Row } from "../tables.ts";
import type { Beginning } from "../TableView.tsx";
import { typed } from "../typed.ts";
import { ActDialog } from "./ActDialog.tsx";
import styles from "./Acts.module.css";
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

/** Registers the server of a hosted domain; of one that has it already, it changes how it is used. */
export function RegisterHost(props: RegisterHostProps) {
  const { domain = "", imap: known = "", tls, connections, logins, onClose } = props;
  const t = useOfficeText();
  const action = t(known === "" ? "office.host.add" : "office.host.change");
  return (
    <ActDialog
      title={action}
      says={t("office.host.says")}
      action={action}
      send={(form) =>
        api.addHost({
          domain: typed(form, "domain"),
          imap: typed(form, "imap"),
          tls: tlsWays.find((way) => way === typed(form, "tls")) ?? "implicit",
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
    </ActDialog>
  );
}

const trusts = ["same", "known", "own"] as const;

/** Whom the certificate of the server must come from. */
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
          dir="ltr"
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
        />
      )}
    </>
  );
}

function trust(form: FormData): { ca?: string; known_ca?: true } {
  switch (typed(form, "trust")) {
    case "own":
      return { ca: typed(form, "ca") };
    case "known":
      return { known_ca: true };
    default:
      return {};
  }
}

function number(form: FormData, name: "connections" | "logins"): { connections?: number; logins?: number } {
  const said = typed(form, name);
  return said === "" ? {} : { [name]: Number(said) };
}

export const hostBeginnings: readonly Beginning[] = [
  { label: "office.host.add", Icon: Plus, Dialog: RegisterHost },
];

export const hostActs: readonly RowAct<Row<"hosts">>[] = [
  {
    label: "office.host.change",
    Icon: Settings2,
    // How a server is used is said by way of a domain that it serves.
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
