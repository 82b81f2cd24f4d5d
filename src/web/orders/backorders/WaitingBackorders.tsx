import { useQueryClient } from "@tanstack/react-query";
import { Hourglass } from "lucide-react";
import { useState } from "react";
import { joined } from "../../../i18n/t.ts";
import { api } from "../../api.ts";
import { isolated, moment, price } from "../../format.ts";
import { useAccountText, useLanguage } from "../../language.tsx";
import { useCall } from "../../programs/useCall.ts";
import { Button } from "../../ui/button/Button.tsx";
import { Exact } from "../../ui/display/Exact.tsx";
import { Badge } from "../../ui/feedback/Badge.tsx";
import { Disclosure } from "../../ui/layout/Disclosure.tsx";
import styles from "./Backorders.module.css";
import { type Backorder, backordersKey } from "./backorders.ts";

/** The orders that wait for stock, and a way to remove each. */
export function WaitingBackorders({ waiting }: { waiting: readonly Backorder[] }) {
  const t = useAccountText();
  const [isOpen, setOpen] = useState(true);
  return (
    <Disclosure
      open={isOpen}
      onToggle={setOpen}
      icon={<Hourglass aria-hidden size={16} />}
      title={t("backorder.title")}
      badge={<Badge tone="accent">{waiting.length}</Badge>}
    >
      <ul className={styles.list}>
        {waiting.map((backorder) => (
          <Row key={backorder.id} backorder={backorder} />
        ))}
      </ul>
    </Disclosure>
  );
}

function Row({ backorder }: { backorder: Backorder }) {
  const t = useAccountText();
  const language = useLanguage();
  const client = useQueryClient();
  const [isBusy, run] = useCall();
  const { id, site, domains, max_price: highest, until, refused } = backorder;
  const remove = async () => {
    await run(
      () => api.removeBackorder({ id }),
      () => t("backorder.removed"),
    );
    void client.invalidateQueries({ queryKey: backordersKey });
  };
  return (
    <li className={styles.row}>
      <div className={styles.what}>
        <p>
          <Exact>{site}</Exact> · <Exact>{domains.join(", ")}</Exact>
        </p>
        <p className={styles.facts}>
          <span>{t("backorder.upTo", { price: isolated(price(language, highest)) })}</span>
          <span>{t("backorder.until", { at: isolated(moment(until)) })}</span>
        </p>
        {refused && <p className={styles.facts}>{t(`backorder.why.${joined(refused)}`)}</p>}
      </div>
      <Button
        tone="ghost"
        size="small"
        busy={isBusy}
        aria-label={t("backorder.remove.one", { site })}
        onClick={() => void remove()}
      >
        {t("backorder.remove")}
      </Button>
    </li>
  );
}
