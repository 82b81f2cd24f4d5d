import type { Act } from "../../contract/office/act.ts";
import { acts } from "../../contract/office/acts.ts";
import { answer, type Refused, type Route } from "../platform/http/answer.ts";
import { inPool } from "../platform/db/pools.ts";
import { type ActServices, doersOf, type Who } from "./office.acts.ts";

type Doer = (asked: object, who: Who) => Promise<Act["refusals"][number] | Record<string, unknown> | Refused>;

/** The call of each act, as it is declared. */
export function actRoutes(services: ActServices): Route[] {
  const doers = doersOf(services) as unknown as Record<string, Doer>;
  return Object.values(acts).map((act: Act) =>
    answer(act, async ({ asked, caller: { userId: actor }, refuse }) => {
      // A batch or an order of mailboxes may have a million rows, for which the time of a call is too short.
      const done = await inPool("reports", async () =>
        doers[act.name]?.(asked, { actor, by: `user ${actor}` }),
      );
      return typeof done === "string" ? refuse(done) : done;
    }),
  );
}
