import { CircleCheck } from "lucide-react";
import type { FormEvent } from "react";
import { quantityMax } from "../../contract/limits.ts";
import { openAuth } from "../auth/authDialog.ts";
import { price } from "../format.ts";
import { useAppText, useLanguage } from "../language.tsx";
import { Button } from "../ui/Button.tsx";
import { Card } from "../ui/Card.tsx";
import { classes } from "../ui/classes.ts";
import { Stepper } from "../ui/Stepper.tsx";
import type { Desk } from "./desk.ts";
import { OfferList } from "./OfferList.tsx";
import { OrderOptions } from "./OrderOptions.tsx";
import styles from "./OrderForm.module.css";
import { type OrderForm as Form, useOrderForm } from "./orderForm.ts";
import { ShortfallNotice } from "./ShortfallNotice.tsx";
import { SiteField } from "./SiteField.tsx";
import { totalOf } from "./offers.ts";

interface OrderFormProps {
  desk: Desk;
  /** Undefined while the account is not known yet. */
  isActive: boolean | undefined;
  onTopUp: (missingDollars: number) => void;
}

/** Where an address is ordered (spec B §2 "Order form"). */
export function OrderForm({ desk, isActive, onTopUp }: OrderFormProps) {
  const t = useAppText();
  const form = useOrderForm(desk, isActive === true);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isActive === false) openAuth("activate");
    else void form.buy();
  };
  return (
    <Card aria-labelledby="order-title" className={styles.card}>
      <form noValidate onSubmit={submit} className={styles.form}>
        <h2 id="order-title" className={styles.title}>
          {t("order.title")}
        </h2>
        <SiteField form={form} />
        <OfferList form={form} isActive={isActive} />
        <OrderOptions form={form} />
        <Purchase form={form} isActive={isActive} onTopUp={onTopUp} />
      </form>
    </Card>
  );
}

function Purchase({ form, isActive, onTopUp }: Omit<OrderFormProps, "desk"> & { form: Form }) {
  const t = useAppText();
  const language = useLanguage();
  const { offer, phase, quantity } = form;
  const canBuy = isActive === false || (offer !== undefined && offer.count > 0);
  const total = offer ? price(language, totalOf(offer.price, quantity)) : undefined;
  const done = phase === "success";
  return (
    <div className={classes(styles.purchase, offer && styles.ready)}>
      {form.shortfall && (
        <div className={styles.shortfall}>
          <ShortfallNotice shortfall={form.shortfall} form={form} onTopUp={onTopUp} />
        </div>
      )}
      <Stepper
        label={t("order.quantity")}
        value={quantity}
        min={1}
        max={quantityMax}
        onChange={form.setQuantity}
      />
      <div className={styles.buy}>
        <Button
          type="submit"
          wide
          busy={phase === "loading"}
          disabled={!canBuy}
          aria-describedby={canBuy ? undefined : "order-why"}
          className={done ? styles.done : undefined}
          icon={done ? <CircleCheck aria-hidden size={18} /> : undefined}
        >
          {done ? t("order.done") : <BuyLabel total={total} />}
        </Button>
        {/* A disabled button says why. */}
        {!canBuy && (
          <p id="order-why" className={styles.why}>
            {offer?.count === 0
              ? t("order.why.soldOut")
              : t(form.asked === "" ? "order.why.site" : "order.why.type")}
          </p>
        )}
      </div>
      <span role="status" className={styles.spoken}>
        {done && t("order.done")}
      </span>
    </div>
  );
}

function BuyLabel({ total }: { total: string | undefined }) {
  const t = useAppText();
  if (total === undefined) return t("order.buy");
  return (
    <>
      {t("order.buy")} <bdi className={styles.total}>{total}</bdi>
    </>
  );
}
