import { BadgeCheck, Ban, Eye, PackageCheck, PackageX, Undo2, type LucideIcon } from "lucide-react";
import type { Calls } from "../../../client/wire.ts";
import type { RowAction } from "../table/RowActions.tsx";
import type { Row } from "../table/tableState.ts";
import { actsOn } from "./ActDialog.tsx";

const act = actsOn<Row<"batches">>();

type Decision = Calls["decideBatch"]["ask"]["decision"];
type State = Row<"batches">["state"];

const decide = (decision: Decision, Icon: LucideIcon, fits: (row: Row<"batches">) => boolean) =>
  act({
    act: "decideBatch",
    title: `office.batch.${decision}`,
    done: "office.batch.decided",
    Icon,
    fits,
    isDangerous: decision === "refuse",
    of: ({ id }) => ({ batch: id ?? "", decision }),
    holes: ({ id, count }) => ({ id: id ?? "", count: count ?? 0 }),
  });

const isIn =
  (...states: State[]) =>
  ({ state }: Row<"batches">) =>
    states.includes(state);

export const batchActions: readonly RowAction<Row<"batches">>[] = [
  decide("approve", BadgeCheck, isIn("review")),
  decide("refuse", Ban, isIn("stored", "sampling", "review")),
  decide("withdraw", PackageX, isIn("active")),
  decide("restore", PackageCheck, isIn("withdrawn")),
  decide("free", Undo2, ({ state, opened }) => state === "refused" && opened === 0),
  act({
    act: "clearBatches",
    title: "office.seen.mark",
    says: "office.seen.says",
    done: "office.seen.done",
    Icon: Eye,
    fits: ({ flagged, state }) => flagged === true && (state === "refused" || state === "freed"),
    of: ({ user }) => ({ user: user ?? "" }),
    holes: ({ user, email }) => ({ name: email ?? `#${user ?? ""}` }),
  }),
];
