import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useRef, useState } from "react";
import { newKey } from "../../../client/key.ts";
import { api, type Refused } from "../../api.ts";
import { useAccountText } from "../../language.tsx";
import { DollarField } from "../../programs/DollarField.tsx";
import { refusalText } from "../../refusalText.ts";
import { Button } from "../../ui/button/Button.tsx";
import { Dialog } from "../../ui/dialog/Dialog.tsx";
import { serverNow } from "../../ui/display/clock.ts";
import { Notice } from "../../ui/feedback/Notice.tsx";
import { toast } from "../../ui/feedback/toast.ts";
import { SelectField } from "../../ui/form/Select.tsx";
import { useBusy } from "../../useBusy.ts";
import styles from "./Backorders.module.css";
import { backordersKey } from "./backorders.ts";

interface BackorderDialogProps {
  ask: Record<"site" | "domain" | "subject" | "regex" | "note", string>;
  /** Dollars, as the page shows it. */
  price: number;
  onClose: () => void;
}

const lifeDays = [1, 3, 7];
const daySeconds = 24 * 60 * 60;

/** Asks for an order that is placed once there is stock. */
export function BackorderDialog({ ask, price, onClose }: BackorderDialogProps) {
  const t = useAccountText();
  const { site, domain } = ask;
  const [highest, setHighest] = useState(String(price));
  const [days, setDays] = useState(lifeDays.at(-1) ?? 1);
  const { isBusy, refused, forget, add } = useAdding(ask, onClose);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void add(highest, days);
  };
  const isPriceWrong = refused?.value === "max_price";
  const footer = (
    <Button type="submit" form="backorder" wide size="large" busy={isBusy}>
      {t("backorder.add")}
    </Button>
  );
  return (
    <Dialog title={t("backorder.do")} onClose={onClose} footer={footer}>
      <form id="backorder" noValidate className={styles.form} onSubmit={submit}>
        <p>{t("backorder.text", { site, domain })}</p>
        <DollarField
          label={t("backorder.price")}
          error={isPriceWrong ? t("refusal.priceMax") : undefined}
          data-autofocus
          value={highest}
          onChange={(dollars) => {
            setHighest(dollars);
            forget();
          }}
        />
        <SelectField
          label={t("backorder.days")}
          value={days}
          onChange={({ target }) => setDays(Number(target.value))}
          choices={lifeDays.map((count) => ({
            value: String(count),
            label: t("token.life.days", { count }),
          }))}
        />
        {refused && !isPriceWrong && <Notice tone="bad">{refusalText(t, refused)}</Notice>}
      </form>
    </Dialog>
  );
}

function useAdding(ask: BackorderDialogProps["ask"], onAdded: () => void) {
  const t = useAccountText();
  const client = useQueryClient();
  const [isBusy, whileBusy] = useBusy();
  const [refused, setRefused] = useState<Refused<string>>();
  // Pressed again without an answer, it asks for the same one.
  const key = useRef(newKey());
  const add = async (highest: string, days: number) => {
    if (isBusy) return;
    const until = String(Math.floor(serverNow() / 1000) + days * daySeconds);
    const order = { ...ask, until, max_price: highest, client_order_id: key.current };
    const answer = await whileBusy(() => api.addBackorder(order));
    if (!answer.ok) {
      if (answer.value === "key used") key.current = newKey();
      return setRefused(answer);
    }
    toast("good", t("backorder.added"));
    void client.invalidateQueries({ queryKey: backordersKey });
    onAdded();
  };
  return { isBusy, refused, forget: () => setRefused(undefined), add };
}
