import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { ArrowRight } from "lucide-react";
import type { Calls } from "../../../client/wire.ts";
import { api } from "../../api.ts";
import { exactPrice, movement } from "../../format.ts";
import { useLanguage, useOfficeText } from "../../language.tsx";
import { dataOf, refusedBy } from "../../serverState.tsx";
import { Exact } from "../../ui/display/Exact.tsx";
import { Notice } from "../../ui/feedback/Notice.tsx";
import { officeRefusalText } from "../officeRefusalText.ts";
import styles from "./Actions.module.css";

type Ask = Calls["changePrices"]["ask"];

/** What a change of prices would change, and what the orders of the last seven days would have earned. */
export function PricePreview({ asked }: { asked: Partial<Ask> }) {
  const { prices = "", how = "to", amount, from } = asked;
  const t = useOfficeText();
  const language = useLanguage();
  const ask = { prices, how, amount, from };
  const isWhole = prices !== "" && Number(amount) !== 0 && !Number.isNaN(Number(amount));
  const preview = useQuery({
    queryKey: ["office", "prices", ask],
    queryFn: ({ signal }) => dataOf(api.pricePreview(ask, { signal })),
    placeholderData: keepPreviousData,
    enabled: isWhole,
    retry: false,
  });
  if (!isWhole) return null;
  const refused = refusedBy(preview.error);
  if (refused) return <Notice tone="warn">{officeRefusalText(t, refused)}</Notice>;
  if (!preview.data) return null;
  const { count, letters, before, after, data } = preview.data;
  const money = (dollars: string) => exactPrice(language, dollars);
  const change = movement(language, String(Number(after) - Number(before)));
  return (
    <Notice title={t("office.prices.preview")}>
      <div aria-busy={preview.isPlaceholderData} className={styles.preview}>
        <ul className={styles.steps}>
          {data.map(({ domain, site, before: old, after: fresh }) => (
            <li key={`${site}/${domain}`}>
              <Exact>{site === undefined ? domain : `${site}/${domain}`}</Exact>
              <span className={styles.step}>
                <Exact>{money(old)}</Exact>
                <ArrowRight aria-hidden size={14} />
                <Exact>{money(fresh)}</Exact>
              </span>
            </li>
          ))}
          {count > data.length && <li>{t("office.more", { count: count - data.length })}</li>}
        </ul>
        <p>
          {t("office.prices.preview.says", {
            count: letters,
            before: money(before),
            after: money(after),
            change,
          })}
        </p>
      </div>
    </Notice>
  );
}
