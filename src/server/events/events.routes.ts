import { events } from "../../contract/events.ts";
import { LastEventId } from "../../contract/fields.ts";
import { answer, type Route, Streamed } from "../platform/http/answer.ts";
import { limitedAs } from "../platform/http/rate-limits.ts";
import type { Streams } from "./events.streams.ts";

const headers = {
  "content-type": "text/event-stream",
  "cache-control": "no-store, no-transform",
  // Proxies of this kind would gather a while before they pass anything on.
  "x-accel-buffering": "no",
  // Nothing follows a stream on its connection.
  connection: "close",
};

/** GET /user/events: what happens to an account, as a stream. */
export function eventRoutes({ streams }: { readonly streams: Streams }): Route[] {
  return [
    answer(events, async ({ asked, caller, request, refuse }) => {
      // The header is newer: a client that reconnects by itself sends it, and the address stays what it was.
      const after = LastEventId.schema.safeParse(request.lastEventId || asked.last_event_id?.toString());
      if (!after.success) return refuse("last_event_id");
      const reader = { ...caller, siteIds: caller.limits?.siteIds, from: limitedAs(request.address) };
      const write = await streams.open(reader, after.data);
      return write === "too many" ? refuse("too many") : new Streamed(headers, write);
    }),
  ];
}
