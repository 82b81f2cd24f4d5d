import { CircleCheck } from "lucide-react";
import { type FormEvent, Suspense, useState } from "react";
import { quantityMax } from "../../../contract/limits.ts";
import type { AppKey } from "../../../i18n/t.ts";
import { openAuth } from "../../auth/authDialog.ts";
import { ErrorBoundary } from "../../ErrorBoundary.tsx";
import type { Account } from "../../dashboard/account.ts";
import { exactPrice, isolated, price } from "../../format.ts";
import { coveringAmount } from "../../payments/topUpAmount.ts";
import { useAppText, useLanguage } from "../../language.tsx";
import { stored, useStored } from "../../stored.ts";
import { Button } from "../../ui/button/Button.tsx";
import { Card } from "../../ui/layout/Card.tsx";
import { classNames } from "../../ui/layout/classNames.ts";
import { Notice } from "../../ui/feedback/Notice.tsx";
import { NumberStepper } from "../../ui/form/NumberStepper.tsx";
import { VisuallyHidden } from "../../ui/layout/VisuallyHidden.tsx";
import { useWaiting } from "../backorders/backorders.ts";
import { BackorderDialog, WaitingBackorders } from "../dialogs.tsx";
import type { OrderList } from "../list/useOrderList.ts";
import { OfferList } from "./OfferList.tsx";
import type { Offer } from "./offers.ts";
import { OrderOptions } from "./OrderOptions.tsx";
import styles from "./OrderForm.module.css";
import { type OrderForm as Form, useOrderForm, waitingPurchase } from "./useOrderForm.ts";
import { ShortfallNotice } from "./ShortfallNotice.tsx";
import { SiteField } from "./SiteField.tsx";
import { Exact } from "../../ui/display/Exact.tsx";

/** Opens the top-up; `onCreated` is called once there is a payment. */
export type TopUp = (missingDollars: number, onCreated?: () => void) => void;

interface OrderFormProps {
  orders: OrderList;
  account: Account | undefined;
  onTopUp: TopUp;
}

/** The order form (spec B §2 "Order form"). */
export function OrderForm({ orders, account, onTopUp }: OrderFormProps) {
  const t = useAppText();
  const isActive = account?.active;
  const form = useOrderForm(orders, isActive === true);
  const { asked: site, subject, regex, note } = form;
  const [soldOut, setSoldOut] = useState<Offer>();
  const waiting = useWaiting(isActive === true);
  const topUp = () => {
    const waiting = account && waitingPurchase(form, account.id);
    onTopUp(form.missing, () => {
      if (stored.buysWhenPaid.read() && waiting) stored.waitingPurchase.write(waiting);
    });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isActive === false) openAuth("activate");
    else if (form.canBuy && form.missing > 0) topUp();
    else void form.buy();
  };
  return (
    <Card aria-labelledby="order-title" className={styles.card}>
      <form noValidate onSubmit={submit} className={styles.form}>
        <h2 id="order-title" className={styles.title}>
          {t("order.title")}
        </h2>
        <SiteField form={form} />
        {/* The sticky bar stays within this element: it never covers the site field. */}
        <div className={styles.choice}>
          {form.unmatched !== "" && (
            <Notice tone="warn">{t("order.unmatched", { type: form.unmatched })}</Notice>
          )}
          <OfferList form={form} isActive={isActive} onWait={setSoldOut} />
          <OrderOptions form={form} />
          {waiting.length > 0 && (
            <Suspense>
              <WaitingBackorders waiting={waiting} />
            </Suspense>
          )}
          <Purchase form={form} isActive={isActive} onTopUp={onTopUp} />
        </div>
      </form>
      {soldOut && (
        <ErrorBoundary over again={soldOut}>
          <Suspense>
            <BackorderDialog
              ask={{ site, domain: soldOut.type, subject, regex, note }}
              price={soldOut.price}
              onClose={() => setSoldOut(undefined)}
            />
          </Suspense>
        </ErrorBoundary>
      )}
    </Card>
  );
}

interface PurchaseProps extends Pick<OrderFormProps, "onTopUp"> {
  form: Form;
  isActive: boolean | undefined;
}

function Purchase({ form, isActive, onTopUp }: PurchaseProps) {
  const t = useAppText();
  const { phase, quantity } = form;
  const canBuy = isActive === false || form.canBuy;
  const isShort = form.canBuy && form.missing > 0;
  const done = phase === "success";
  return (
    <div className={classNames(styles.purchase, form.site !== "" && styles.ready)}>
      <WaitingOrder />
      {form.shortfall && (
        <div className={styles.shortfall}>
          <ShortfallNotice shortfall={form.shortfall} form={form} onTopUp={onTopUp} />
        </div>
      )}
      {/* Above the button: the bar is held below, so that the button stays where it is. */}
      {isShort && <WhenPaid />}
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
          {done ? t("order.done") : <BuyLabel form={form} isShort={isShort} />}
        </Button>
        {/* Says why the button is disabled. Always rendered, so that the button does not move. */}
        <p id="order-why" data-promise={canBuy || undefined} className={styles.why}>
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

/** Whether the order is placed once the payment is credited. */
function WhenPaid() {
  const t = useAppText();
  const [buys, setBuys] = useStored(stored.buysWhenPaid);
  return (
    <label className={styles.whenPaid}>
      <input type="checkbox" checked={buys} onChange={({ target }) => setBuys(target.checked)} />
      <span>{t("order.whenPaid")}</span>
    </label>
  );
}

/** The order that waits for its payment, and a way to give it up. */
function WaitingOrder() {
  const t = useAppText();
  const [waiting, setWaiting] = useStored(stored.waitingPurchase);
  if (!waiting) return null;
  const giveUp = (
    <Button tone="ghost" size="small" onClick={() => setWaiting(null)}>
      {t("order.waits.cancel")}
    </Button>
  );
  return (
    <div className={styles.shortfall}>
      <Notice tone="info" action={giveUp}>
        {t("order.waits", { site: waiting.site, domain: waiting.domain })}
      </Notice>
    </div>
  );
}

function BuyLabel({ form, isShort }: { form: Form; isShort: boolean }) {
  const t = useAppText();
  const language = useLanguage();
  if (form.total === undefined) return <span>{t("order.buy")}</span>;
  const total = price(language, form.total);
  if (isShort) {
    const amount = isolated(exactPrice(language, coveringAmount(form.missing)));
    return <span translate="no">{t("order.topUp", { amount })}</span>;
  }
  return (
    <span>
      {t("order.buy")} <Exact className={styles.total}>{total}</Exact>
    </span>
  );
}
