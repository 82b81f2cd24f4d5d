import { useMemo } from "react";
import { api } from "../../api.ts";
import { useLanguage, useOfficeText } from "../../language.tsx";
import { paths } from "../../paths.ts";
import { StatementCard } from "../../statement/StatementCard.tsx";
import type { StatementSource } from "../../statement/useStatement.ts";
import { userActions } from "../actions/users.tsx";
import { TablePart } from "../table/TablePart.tsx";
import { JournalPart } from "./JournalPart.tsx";
import { ObjectPage } from "./ObjectPage.tsx";

/** One user: all that belongs to the account, and beside it what can be done. */
export function UserPage() {
  return (
    <ObjectPage object="user" name="users" heading="email" actions={userActions}>
      {(row, id) => <Belongings id={id} email={row.email ?? ""} />}
    </ObjectPage>
  );
}

function Belongings({ id, email }: { id: string; email: string }) {
  const t = useOfficeText();
  const filters = { user: id };
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
      <TablePart
        isQuiet
        name="withdrawals"
        title={t("office.section.withdrawals")}
        filters={filters}
        without="email"
        whole={{ section: "withdrawals", query }}
      />
      <Money id={id} email={email} />
      {(["tokens", "webhooks"] as const).map((name) => (
        <TablePart key={name} name={name} title={t(`office.part.${name}`)} filters={filters} without="user" />
      ))}
      <TablePart
        name="security"
        title={t("office.section.security")}
        filters={filters}
        without="user"
        whole={{ section: "security", query }}
      />
      <JournalPart object="user" id={id} />
    </>
  );
}

/** The statement as the user reads it. */
function Money({ id, email }: { id: string; email: string }) {
  const t = useOfficeText();
  const language = useLanguage();
  const source = useMemo(
    (): StatementSource => ({
      key: ["office", "statement", id],
      read: (ask, options) => api.officeStatement({ id, ...ask }, options),
    }),
    [id],
  );
  return (
    <StatementCard
      title={t("office.part.money")}
      source={source}
      readBy={{
        orderPage: (order) => paths.officeObject(language, "order", order),
        paymentPage: (payment) => paths.officeObject(language, "payment", payment),
      }}
      owner={email}
    />
  );
}
