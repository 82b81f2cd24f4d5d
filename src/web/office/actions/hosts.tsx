import { type LucideIcon, Plus, Settings2 } from "lucide-react";
import { useState } from "react";
import { certificatesLengthMax } from "../../../contract/limits.ts";
import { useOfficeText } from "../../language.tsx";
import { verbatim } from "../../ui/form/Input.tsx";
import { SelectField } from "../../ui/form/Select.tsx";
import { TextAreaField } from "../../ui/form/TextAreaField.tsx";
import type { RowAction } from "../table/RowActions.tsx";
import type { Row } from "../table/tableState.ts";
import { actsOn } from "./ActDialog.tsx";
import styles from "./Actions.module.css";

interface Registering<Host> {
  title: "office.host.add" | "office.host.change";
  Icon: LucideIcon;
  fits?: (row: Host) => boolean;
  /** What is known of the server: its domain, address, and settings. */
  start?: (row: Host) => Record<string, string | number | null | undefined>;
}

/** The same act registers a server and changes its settings. */
export const registerHost = <Host,>({ title, ...rest }: Registering<Host>): RowAction<Host> =>
  actsOn<Host>()({
    act: "addHost",
    title,
    says: "office.host.says",
    done: "office.host.added",
    fields: {
      ca: { Input: title === "office.host.add" ? NewTrust : TrustFields },
      known_ca: { Input: "none" },
    },
    result: ({ domain, imap }) => ({ name: domain, imap }),
    ...rest,
  });

const trusts = ["same", "known", "own"] as const;

interface TrustProps {
  error: string | undefined;
  isNew?: boolean;
}

const NewTrust = (props: TrustProps) => <TrustFields {...props} isNew />;

/** Sends `known_ca` or `ca`, or neither. */
function TrustFields({ error, isNew = false }: TrustProps) {
  const t = useOfficeText();
  const [chosen, setChosen] = useState("same");
  return (
    <>
      <SelectField
        label={t("office.host.trust")}
        value={chosen}
        choices={trusts.map((way) => ({ value: way, label: t(`office.host.trust.${way}`) }))}
        {...(isNew && { hint: t("office.host.trust.hint") })}
        onChange={(event) => setChosen(event.target.value)}
      />
      {chosen === "known" && <input type="hidden" name="known_ca" value="1" />}
      {chosen === "own" && (
        <TextAreaField
          required
          name="ca"
          error={error}
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

export const hostTableActions = [registerHost<undefined>({ title: "office.host.add", Icon: Plus })];

export const hostActions: readonly RowAction<Row<"hosts">>[] = [
  registerHost<Row<"hosts">>({
    title: "office.host.change",
    Icon: Settings2,
    // A server is addressed by a domain that it serves.
    fits: ({ domains }) => (domains?.length ?? 0) > 0,
    start: ({ domains, host, tls, connections, logins }) => ({
      domain: domains?.[0],
      imap: host,
      tls,
      connections,
      logins,
    }),
  }),
];
