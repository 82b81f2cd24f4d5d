import { events } from "../../contract/events.ts";
import { answer, type Route, Streamed } from "../platform/http/answer.ts";
import { limitedAs } from "../platform/http/rate-limits.ts";
import type { Streams } from "./events.streams.ts";

const headers = {
  "content-type": "text/event-stream",
  "cache-control": "no-store, no-transform",
  // Such proxies would buffer the stream.
  "x-accel-buffering": "no",
};

export function eventRoutes({ streams }: { readonly streams: Streams }): Route[] {
  return [
    answer(events, async ({ asked, caller, request, refuse }) => {
      const reader = { ...caller, siteIds: caller.limits?.siteIds, from: limitedAs(request.address) };
      const write = await streams.open(reader, asked.last_event_id);
      return write === "too many" ? refuse("too many") : new Streamed(headers, write);
    }),
  ];
}
