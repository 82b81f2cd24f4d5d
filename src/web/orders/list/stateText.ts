import type { AppKey } from "../../../i18n/t.ts";
import type { ItemState } from "./activations.ts";

/** Received is successful, canceled unsuccessful, anything else processing (spec B §4). */
export function stateText(state: ItemState): AppKey {
  if (state === "received") return "state.received";
  return state === "canceled" ? "state.canceled" : "state.processing";
}
