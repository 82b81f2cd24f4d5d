import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useState } from "react";
import { useLocation } from "wouter";
import type { CurrencyId } from "../../contract/currencies.ts";
import { topUpMinDollars } from "../../contract/limits.ts";
import { api, type Refused } from "../api.ts";
import { isolated, price, roughPrice, wholeDollars } from "../format.ts";
import { useAppText, useLanguage } from "../language.tsx";
import { paths } from "../paths.ts";
import { refusalText } from "../refusalText.ts";
import { useServerData } from "../serverData.tsx";
import { isShared, stored } from "../stored.ts";
import { Button } from "../ui/button/Button.tsx";
import { Chip, Chips } from "../ui/button/Chip.tsx";
import { Dialog } from "../ui/dialog/Dialog.tsx";
import { Field } from "../ui/form/Field.tsx";
import { Input } from "../ui/form/Input.tsx";
import { Notice } from "../ui/feedback/Notice.tsx";
import { type AmountFault, amountFault, sentAmount, typedAmount } from "./topUpAmount.ts";
import { CoinChoice, leastText } from "./CoinChoice.tsx";
import { currencyToUse, type TopUpCurrency, useTopUpCurrencies } from "./topUpCurrencies.ts";
import styles from "./TopUpDialog.module.css";
import { Exact } from "../ui/display/Exact.tsx";
import { useBusy } from "../useBusy.ts";

const quickAmounts = ["1", "5", "10", "25"];

interface TopUpDialogProps {
  amount: string;
  onClose: () => void;
  /** Replaces the current payment page instead of opening a tab. */
  sameTab?: boolean;
  onCreated?: (() => void) | undefined;
}

/** Asks for amount and currency, creates the payment and opens its page (spec B §2 "Top-up modal"). */
export function TopUpDialog({ amount: first, onClose, sameTab, onCreated }: TopUpDialogProps) {
  const t = useAppText();
  const [amount, setAmount] = useState(first);
  const [chosen, setChosen] = useState<CurrencyId>();
  const { isBusy, refused, create } = useCreation(sameTab === true, () => {
    onCreated?.();
    onClose();
  });
  const offered = useTopUpCurrencies();
  const meant = currencyToUse(offered, chosen);
  const fault = amountFault(amount, meant?.min ?? topUpMinDollars);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!fault && meant) void create(meant.currency.id, sentAmount(amount));
  };
  const footer = <Foot fault={fault} meant={meant} amount={Number(amount)} isBusy={isBusy} />;
  return (
    <Dialog title={t("topup.title")} onClose={onClose} footer={footer}>
      <form id="top-up" noValidate onSubmit={submit} className={styles.form}>
        <AmountField amount={amount} fault={fault} onChange={setAmount} />
        {!meant && <Notice tone="warn">{t("topup.none")}</Notice>}
        <CoinChoice offered={offered} meant={meant} amount={Number(amount)} onChange={setChosen} />
        {refused && (
          <Notice tone="bad" title={t("topup.error")}>
            {refusalText(t, refused)}
          </Notice>
        )}
      </form>
    </Dialog>
  );
}

function FeeWarning({ meant: { fee }, amount }: { meant: TopUpCurrency; amount: number }) {
  const t = useAppText();
  const language = useLanguage();
  if (fee === undefined || fee <= amount) return null;
  return <Notice tone="warn">{t("topup.fee.much", { fee: roughPrice(language, fee) })}</Notice>;
}

interface FootProps {
  fault: AmountFault | undefined;
  meant: TopUpCurrency | undefined;
  amount: number;
  isBusy: boolean;
}

/** The button, what the transfer costs if that is much, and why it is disabled: the choice may be out of sight. */
function Foot({ fault, meant, amount, isBusy }: FootProps) {
  const t = useAppText();
  const language = useLanguage();
  const why =
    fault === "min of currency" && meant
      ? t("topup.minCoin", { amount: leastText(language, meant.min) })
      : fault === "empty" && t("topup.why");
  return (
    <div className={styles.foot}>
      {meant && !fault && <FeeWarning meant={meant} amount={amount} />}
      <p id="top-up-why" role="status" className={styles.why}>
        {why}
      </p>
      <Button
        type="submit"
        form="top-up"
        wide
        size="large"
        busy={isBusy}
        disabled={fault !== undefined || !meant}
        aria-describedby={why ? "top-up-why" : undefined}
      >
        {t("topup.do")}
      </Button>
    </div>
  );
}

interface AmountProps {
  amount: string;
  fault: AmountFault | undefined;
  onChange: (amount: string) => void;
}

function AmountField({ amount, fault, onChange }: AmountProps) {
  const t = useAppText();
  const language = useLanguage();
  const errors = {
    empty: undefined,
    min: t("topup.min"),
    "min of currency": undefined,
    max: t("topup.max"),
  };
  const buys = useBuys(fault === undefined ? Number(amount) : 0);
  return (
    <div className={styles.amount}>
      <Field label={t("topup.amount")} hint={buys ?? t("topup.hint")} error={fault && errors[fault]}>
        {(control) => (
          <div dir="ltr" className={styles.box}>
            <span aria-hidden className={styles.sign}>
              $
            </span>
            <Input
              {...control}
              type="text"
              inputMode="decimal"
              autoComplete="off"
              placeholder="1.55"
              data-autofocus
              className={styles.input}
              value={amount}
              onChange={(event) => onChange(typedAmount(event.target.value))}
            />
          </div>
        )}
      </Field>
      <Chips label={t("topup.quick")}>
        {quickAmounts.map((quick) => (
          <Chip key={quick} chosen={quick === amount} onClick={() => onChange(quick)}>
            <Exact>{wholeDollars(language, quick)}</Exact>
          </Chip>
        ))}
      </Chips>
    </div>
  );
}

/** How many addresses so many dollars buy at the lowest price; undefined when it is none. */
function useBuys(amount: number): ReactNode {
  const t = useAppText();
  const language = useLanguage();
  const lowest = Math.min(...useServerData().domains.map((domain) => Number(domain.price)));
  const count = Math.floor(Math.round((amount / lowest) * 1e6) / 1e6);
  if (!(count > 0)) return undefined;
  return <span translate="no">{t("topup.buys", { count, price: isolated(price(language, lowest)) })}</span>;
}

function sayIn(tab: Window, text: string) {
  const { body, documentElement } = tab.document;
  tab.document.title = body.textContent = text;
  Object.assign(documentElement, { lang: document.documentElement.lang, dir: document.documentElement.dir });
  documentElement.style.colorScheme = getComputedStyle(document.documentElement).colorScheme;
  Object.assign(body.style, { font: "1rem system-ui", margin: "2rem" });
}

/** Creates the payment. Opens the tab within the press: browsers block one opened after an answer. */
function useCreation(sameTab: boolean, onClose: () => void) {
  const t = useAppText();
  const language = useLanguage();
  const [, navigate] = useLocation();
  const client = useQueryClient();
  const [isBusy, whileBusy] = useBusy();
  const [refused, setRefused] = useState<Refused<string>>();
  async function create(wallet: string, amount: string) {
    // A new tab knows the session from the storage alone.
    const tab = sameTab || !isShared(stored.authToken) ? null : window.open("", "_blank");
    if (tab) sayIn(tab, t("ui.loading"));
    setRefused(undefined);
    const answer = await whileBusy(() => api.createPayment({ wallet, amount }));
    if (!answer.ok) {
      tab?.close();
      setRefused(answer);
      return;
    }
    void client.invalidateQueries({ queryKey: ["payments"] });
    const address = paths.pay(language, answer.data.id);
    if (tab && !tab.closed) tab.location.href = address;
    else navigate(address);
    onClose();
  }
  return { isBusy, refused, create };
}
