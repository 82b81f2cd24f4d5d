import type { Endpoints } from "../../../contract/api.ts";
import type { Reply } from "../../../contract/endpoint.ts";
import { api } from "../../api.ts";
import { exactPrice } from "../../format.ts";
import { useLanguage, useOfficeText } from "../../language.tsx";
import { ActDialog } from "./ActDialog.tsx";

export type Rate = Reply<Endpoints["rates"]>["data"][number];
export type HeldRate = Rate & { held: NonNullable<Rate["held"]> };

/** Sells a coin again whose rate has jumped; what its sources tell at that moment is the rate then. */
export function ReleaseRate({ rate: { coin, held }, onClose }: { rate: HeldRate; onClose: () => void }) {
  const t = useOfficeText();
  const language = useLanguage();
  const holes = { coin, from: exactPrice(language, held.from), to: exactPrice(language, held.to) };
  return (
    <ActDialog
      isDangerous
      title={t("office.rate.release", { coin })}
      says={t("office.rate.release.says", holes)}
      action={t("office.rate.release.do")}
      send={() => api.releaseRate({ coin })}
      done={() => t("office.rate.released", { coin })}
      onClose={onClose}
    />
  );
}
