import type { AppKey, PublicKey, Translator } from "../../i18n/t.ts";
import { day } from "../format.ts";
import { type Period, presetOf } from "./period.ts";

/** What a period is called: as its preset, or by its days, as paper needs it. */
export function periodText(
  t: Translator<PublicKey | AppKey>,
  period: Period,
  how: "short" | "days" = "short",
): string {
  const preset = presetOf(period);
  if (preset && how === "short") return t(preset.text);
  const [since, until] = [day(period.since), day(period.until)];
  if (period.until === "") return t("period.from", { since });
  return period.since === "" ? t("period.to", { until }) : t("period.between", { since, until });
}
