import { useOfficeText } from "../../language.tsx";
import { userActions } from "../actions/users.tsx";
import { TablePart } from "../table/TablePart.tsx";
import { JournalPart } from "./JournalPart.tsx";
import { ObjectPage } from "./ObjectPage.tsx";

/** One user: all that belongs to the account, and beside it what can be done. */
export function UserPage() {
  return (
    <ObjectPage object="user" name="users" heading="email" actions={userActions}>
      {(_row, id) => <Belongings id={id} />}
    </ObjectPage>
  );
}

function Belongings({ id }: { id: string }) {
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
      <JournalPart object="user" id={id} />
    </>
  );
}
