import { Audit } from "./Audit.tsx";
import { TableView } from "./TableView.tsx";

/** What runs by itself, and whether everything holds. */
export function Health({ title }: { title: string }) {
  return (
    <>
      <Audit />
      <TableView name="jobs" title={title} />
    </>
  );
}
