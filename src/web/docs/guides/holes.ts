import { callsMax, callsSeconds, freeCallsMax, streamsMax, waitsMax } from "../../../contract/limits.ts";
import {
  sandboxCode,
  sandboxOrdersDay,
  sandboxOrdersMinute,
  sandboxOrdersWaiting,
} from "../../../contract/sandbox.ts";
import type { Holes } from "../../../i18n/t.ts";

/** What the sentences of the guides leave open, as `{name}`. */
export const holes: Holes = {
  calls: callsMax,
  seconds: callsSeconds,
  waits: waitsMax,
  streams: streamsMax,
  free: freeCallsMax,
  minute: sandboxOrdersMinute,
  day: sandboxOrdersDay,
  waiting: sandboxOrdersWaiting,
  code: sandboxCode,
};
