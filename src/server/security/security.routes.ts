import { securityEvents } from "../../contract/account/security.ts";
import { unixSeconds } from "../platform/clock.ts";
import type { Db } from "../platform/db/db.ts";
import { answer, type Route } from "../platform/http/answer.ts";
import { list } from "./security.ts";

export function securityRoutes({ db }: { readonly db: Db }): Route[] {
  return [
    answer(securityEvents, async ({ asked, caller }) => {
      const { events, next } = await list(db, caller.userId, asked.before);
      return {
        data: events.map(({ at, call, refused, network, program }) => ({
          at: unixSeconds(at),
          call,
          ...(refused !== null && { refused }),
          ...(network !== null && { network }),
          ...(program !== null && { program }),
        })),
        ...(next !== undefined && { next: `${next.at.getTime()}.${next.id}` }),
      };
    }),
  ];
}
