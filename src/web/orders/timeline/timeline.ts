import type { Endpoints } from "../../../contract/api.ts";
import type { Reply } from "../../../contract/endpoint.ts";
import type { AppKey } from "../../../i18n/t.ts";

export type Step = Reply<Endpoints["timeline"]>["data"][number];

export function wordsOf({ step, fits, by }: Step): AppKey {
  if (step === "canceled" && by === "shop") return "timeline.canceled.shop";
  if (step === "letter") return fits === false ? "timeline.letterMissed" : "timeline.letter";
  return `timeline.${step}`;
}

/** Green for a match, red for an end without one, else blue; the words say it too. */
export function toneOf({ step, fits }: Step): "good" | "bad" | "warn" | "accent" {
  if (step === "letter") return fits === false ? "warn" : "good";
  if (step === "released") return "good";
  return step === "canceled" || step === "expired" ? "bad" : "accent";
}

export function isOver(steps: readonly Step[]): boolean {
  return steps.some(({ step }) => ["charged", "canceled", "expired"].includes(step));
}
