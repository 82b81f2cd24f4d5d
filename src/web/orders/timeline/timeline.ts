import type { Endpoints } from "../../../contract/api.ts";
import type { Reply } from "../../../contract/endpoint.ts";
import type { AppKey } from "../../../i18n/t.ts";

/** One step of an activation's life, as the server tells it. */
export type Step = Reply<Endpoints["timeline"]>["data"][number];

/** The step in plain words. */
export function wordsOf({ step, fits }: Step): AppKey {
  if (step === "letter") return fits === false ? "timeline.letterMissed" : "timeline.letter";
  return `timeline.${step}`;
}

/** Green for what was waited for, red for the end without it, blue for the rest; the words say it too. */
export function toneOf({ step, fits }: Step): "good" | "bad" | "warn" | "accent" {
  if (step === "letter") return fits === false ? "warn" : "good";
  if (step === "released") return "good";
  return step === "canceled" || step === "expired" ? "bad" : "accent";
}

/** Is nothing awaited any more? */
export function isOver(steps: readonly Step[]): boolean {
  return steps.some(({ step }) => ["charged", "canceled", "expired"].includes(step));
}
