import { UserX } from "lucide-react";
import { useState } from "react";
import { useSearch } from "wouter";
import { useOfficeText } from "../../language.tsx";
import { RefusalNotice } from "../../RefusalNotice.tsx";
import { Button } from "../../ui/button/Button.tsx";
import { EmptyState } from "../../ui/feedback/EmptyState.tsx";
import { Loading } from "../../ui/feedback/Loading.tsx";
import { Card } from "../../ui/layout/Card.tsx";
import { userActions } from "../actions/users.tsx";
import styles from "../Office.module.css";
import { CellView } from "../table/CellView.tsx";
import type { RowAction } from "../table/RowActions.tsx";
import { TablePart } from "../table/TablePart.tsx";
import { columnsOf, type Row, tableOf } from "../table/tableState.ts";
import { useMayDo } from "../useMayDo.ts";
import { useRows } from "../table/useTable.ts";

type UserRow = Row<"users">;

/** One user: all that belongs to the account, and beside it what can be done. */
export function User() {
  const t = useOfficeText();
  const id = new URLSearchParams(useSearch()).get("id") ?? "";
  const ask = { search: id === "" ? "-" : id, filters: {}, sort: tableOf("users").sort, page: 1 };
  const { rows, refused, reload } = useRows("users", ask);
  if (refused) return <RefusalNotice refused={refused} onRetry={reload} />;
  if (!rows) return <Loading lines={8} />;
  const row = (rows as unknown as readonly UserRow[]).find((one) => one.id === id);
  if (!row) return <EmptyState icon={<UserX aria-hidden size={22} />} title={t("office.user.none")} />;
  return (
    <>
      <div className={styles.person}>
        <Facts row={row} />
        <Acts row={row} />
      </div>
      <Belongings id={id} />
    </>
  );
}

function Facts({ row }: { row: UserRow }) {
  const t = useOfficeText();
  return (
    <Card aria-label={row.email ?? row.id ?? ""}>
      <dl className={styles.facts}>
        {columnsOf(tableOf("users")).map(([name, column]) => (
          <div key={name}>
            <dt>{t(`office.column.${name}`)}</dt>
            <dd>
              <CellView name={name} column={column} value={row[name as keyof UserRow]} />
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

/** Only those that will not be refused; what takes something away stands apart. */
function Acts({ row }: { row: UserRow }) {
  const t = useOfficeText();
  const [open, setOpen] = useState<RowAction<UserRow>>();
  const mayDo = useMayDo();
  const fitting = userActions.filter((action) => mayDo(action) && (action.fits?.(row) ?? true));
  if (fitting.length === 0) return null;
  const group = (isDangerous: boolean) => (
    <div className={styles.list}>
      {fitting
        .filter((act) => (act.isDangerous === true) === isDangerous)
        .map((act) => (
          <Button
            key={act.label}
            wide
            tone="secondary"
            className={isDangerous ? styles.danger : undefined}
            aria-haspopup="dialog"
            icon={<act.Icon aria-hidden size={17} />}
            onClick={() => setOpen(act)}
          >
            {t(act.label)}
          </Button>
        ))}
    </div>
  );
  return (
    <Card aria-label={t("office.acts")} className={styles.acts}>
      {group(false)}
      {group(true)}
      {open && <open.Dialog row={row} onClose={() => setOpen(undefined)} />}
    </Card>
  );
}

function Belongings({ id }: { id: string }) {
  const t = useOfficeText();
  const filters = { user: id };
  const about = { about: `user ${id}` };
  const query = { filters: `user:${id}` };
  return (
    <>
      {(["orders", "payments"] as const).map((name) => (
        <TablePart
          key={name}
          name={name}
          title={t(`office.section.${name}`)}
          filters={filters}
          without="user"
          whole={{ section: name, query }}
        />
      ))}
      {(["money", "tokens", "webhooks"] as const).map((name) => (
        <TablePart key={name} name={name} title={t(`office.part.${name}`)} filters={filters} without="user" />
      ))}
      <TablePart
        name="security"
        title={t("office.section.security")}
        filters={filters}
        without="user"
        whole={{ section: "security", query }}
      />
      <TablePart
        name="journal"
        title={t("office.section.journal")}
        filters={about}
        without="about"
        whole={{ section: "journal", query: { filters: `about:user ${id}` } }}
      />
    </>
  );
}
