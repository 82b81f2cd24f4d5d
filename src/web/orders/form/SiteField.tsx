import { History, Search } from "lucide-react";
import { useAppText } from "../../language.tsx";
import { stored, useStored } from "../../stored.ts";
import { Chip, Chips } from "../../ui/button/Chip.tsx";
import { Field } from "../../ui/form/Field.tsx";
import { Input, verbatim } from "../../ui/form/Input.tsx";
import { siteRefusedId } from "./OfferList.tsx";
import styles from "./SiteField.module.css";
import type { OrderForm } from "./useOrderForm.ts";
import { cleanSite, isSame, sitesToChoose } from "./siteInput.ts";

export function SiteField({ form }: { form: OrderForm }) {
  const t = useAppText();
  const [lastInput] = useStored(stored.lastSiteInput);
  const { last, others } = sitesToChoose(lastInput);
  const isRefused = form.offers.refused?.value === "site";
  return (
    <div className={styles.site}>
      <Field label={t("order.site")}>
        {(control) => (
          <div className={styles.box}>
            <Search aria-hidden size={17} className={styles.icon} />
            <Input
              {...control}
              {...(isRefused && { "aria-invalid": true, "aria-describedby": siteRefusedId })}
              data-shortcut="site"
              {...verbatim}
              type="text"
              inputMode="url"
              enterKeyHint="search"
              required
              placeholder="instagram.com"
              className={styles.input}
              value={form.site}
              onChange={(event) => form.setSite(event.target.value)}
              onKeyDown={(event) => {
                if (event.key !== "Enter") return;
                // Enter ends the typing and must not submit the order.
                event.preventDefault();
                form.choose(cleanSite(form.site));
              }}
            />
          </div>
        )}
      </Field>
      <Chips label={t("order.site.suggestions")}>
        {last !== "" && (
          <Chip
            icon={<History aria-hidden size={13} />}
            chosen={isSame(form.asked, last) || form.asked === lastInput}
            title={t("order.site.last")}
            onClick={() => form.choose(last)}
          >
            {last}
          </Chip>
        )}
        {others.map((site) => (
          <Chip key={site} chosen={isSame(form.asked, site)} onClick={() => form.choose(site)}>
            {site}
          </Chip>
        ))}
      </Chips>
    </div>
  );
}
