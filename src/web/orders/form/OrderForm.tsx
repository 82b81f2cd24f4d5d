import { CircleCheck } from "lucide-react";
import { type FormEvent, useState } from "react";
import { quantityMax } from "../../../contract/limits.ts";
import type { AppKey } from "../../../i18n/t.ts";
import { openAuth } from "../../auth/authDialog.ts";
import { price } from "../../format.ts";
import { useAppText, useLanguage } from "../../language.tsx";
import { Button } from "../../ui/button/Button.tsx";
import { Card } from "../../ui/layout/Card.tsx";
import { classNames } from "../../ui/layout/classNames.ts";
import { Notice } from "../../ui/feedback/Notice.tsx";
import { NumberStepper } from "../../ui/form/NumberStepper.tsx";
import { VisuallyHidden } from "../../ui/layout/VisuallyHidden.tsx";
import type { OrderList } from "../list/useOrderList.ts";
import { OfferList } from "./OfferList.tsx";
import { OrderOptions } from "./OrderOptions.tsx";
import styles from "./OrderForm.module.css";
import { type OrderForm as Form, useOrderForm } from "./useOrderForm.ts";
import { ShortfallNotice } from "./ShortfallNotice.tsx";
import { SiteField } from "./SiteField.tsx";
import { totalOf } from "./offers.ts";

interface OrderFormProps {
  orders: OrderList;
  isActive: boolean | undefined;
  onTopUp: (missingDollars: number) => void;
}

/** The order form (spec B §2 "Order form"). */
export function OrderForm({ orders, isActive, onTopUp }: OrderFormProps) {
  const t = useAppText();
  const form = useOrderForm(orders, isActive === true);
  const [isBegun, setBegun] = useState(false);
  const begin = () => setBegun(true);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isActive === false) openAuth("activate");
    else void form.buy();
  };
  return (
    <Card aria-labelledby="order-title" className={styles.card}>
      <form noValidate onSubmit={submit} onClick={begin} onChange={begin} className={styles.form}>
        <h2 id="order-title" className={styles.title}>
          {t("order.title")}
        </h2>
        <SiteField form={form} />
        {/* The sticky bar stays within this element: it never covers the site field. */}
        <div className={styles.choice}>
          {form.unmatched !== "" && (
            <Notice tone="warn">{t("order.unmatched", { type: form.unmatched })}</Notice>
          )}
          <OfferList form={form} isActive={isActive} />
          <OrderOptions form={form} />
          <Purchase form={form} isActive={isActive} isBegun={isBegun} onTopUp={onTopUp} />
        </div>
      </form>
    </Card>
  );
}

interface PurchaseProps extends Omit<OrderFormProps, "orders"> {
  form: Form;
  isBegun: boolean;
}

function Purchase({ form, isActive, isBegun, onTopUp }: PurchaseProps) {
  const t = useAppText();
  const language = useLanguage();
  const { offer, phase, quantity } = form;
  const canBuy = isActive === false || (form.isAsked && offer !== undefined && offer.count > 0);
  const total = offer ? price(language, totalOf(offer.price, quantity)) : undefined;
  const done = phase === "success";
  return (
    <div className={classNames(styles.purchase, form.site !== "" && styles.ready, isBegun && styles.begun)}>
      {form.shortfall && (
        <div className={styles.shortfall}>
          <ShortfallNotice shortfall={form.shortfall} form={form} onTopUp={onTopUp} />
        </div>
      )}
      <NumberStepper
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
          aria-describedby="order-why"
          className={done ? styles.done : undefined}
          icon={done ? <CircleCheck aria-hidden size={18} /> : undefined}
        >
          {done ? t("order.done") : <BuyLabel total={total} />}
        </Button>
        {/* Says why the button is disabled. Always rendered, so that the button does not move. */}
        <p id="order-why" className={styles.why}>
          {t(canBuy ? "order.promise" : whyNot(form))}
        </p>
      </div>
      <VisuallyHidden role="status">{done && t("order.done")}</VisuallyHidden>
    </div>
  );
}

function whyNot({ offer, asked, isAsked }: Form): AppKey {
  if (isAsked && offer?.count === 0) return "order.why.soldOut";
  return asked === "" ? "order.why.site" : "order.why.type";
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
