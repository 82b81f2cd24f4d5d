import { type FormEvent, useState } from "react";
import { useLocation } from "wouter";
import { type CurrencyId, currencies } from "../../contract/currencies.ts";
import { api, type Refused } from "../api.ts";
import { useAppText, useLanguage } from "../language.tsx";
import { paths } from "../paths.ts";
import { refusalText } from "../refusalText.ts";
import { Button } from "../ui/Button.tsx";
import { Chip, Chips } from "../ui/Chip.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import { Field } from "../ui/Field.tsx";
import { Input } from "../ui/Input.tsx";
import { Notice } from "../ui/Notice.tsx";
import { amountFault, sentAmount, typedAmount } from "./amount.ts";
import { CoinMark } from "./CoinMark.tsx";
import styles from "./TopUpDialog.module.css";

const quickAmounts = ["1", "5", "10", "25"];

interface TopUpProps {
  /** Dollars to begin with. */
  amount: string;
  onClose: () => void;
  /** Where there is a payment page already, the new payment takes its place instead of opening a tab. */
  sameTab?: boolean;
}

/** Asks for an amount and a currency, makes the payment and opens its page (spec B §2 "Top-up modal"). */
export function TopUpDialog({ amount: first, onClose, sameTab }: TopUpProps) {
  const t = useAppText();
  const [amount, setAmount] = useState(first);
  const [currency, setCurrency] = useState<CurrencyId>(currencies[0].id);
  const { isBusy, refused, create } = useCreation(sameTab === true, onClose);
  const fault = amountFault(amount);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!fault) void create(currency, sentAmount(amount));
  };
  const footer = (
    <Button
      type="submit"
      form="top-up"
      wide
      size="large"
      busy={isBusy}
      disabled={fault !== undefined}
      aria-describedby={fault ? "top-up-why" : undefined}
    >
      {t("topup.do")}
    </Button>
  );
  return (
    <Dialog title={t("topup.title")} onClose={onClose} footer={footer}>
      <form id="top-up" noValidate onSubmit={submit} className={styles.form}>
        <AmountField amount={amount} onChange={setAmount} />
        <CurrencyList currency={currency} onChange={setCurrency} />
        {refused && (
          <Notice tone="bad" title={t("topup.error")}>
            {refusalText(t, refused)}
          </Notice>
        )}
        {fault === "empty" && (
          <p id="top-up-why" className={styles.why}>
            {t("topup.why")}
          </p>
        )}
      </form>
    </Dialog>
  );
}

function AmountField({ amount, onChange }: { amount: string; onChange: (amount: string) => void }) {
  const t = useAppText();
  const fault = amountFault(amount);
  const errors = { min: t("topup.min"), max: t("topup.max"), empty: undefined };
  return (
    <div className={styles.amount}>
      <Field label={t("topup.amount")} hint={t("topup.hint")} error={fault && errors[fault]}>
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
            <bdi>${quick}</bdi>
          </Chip>
        ))}
      </Chips>
    </div>
  );
}

function CurrencyList({ currency, onChange }: { currency: CurrencyId; onChange: (id: CurrencyId) => void }) {
  const t = useAppText();
  return (
    <fieldset className={styles.currencies}>
      <legend className={styles.legend}>{t("topup.currency")}</legend>
      <div className={styles.list}>
        {currencies.map(({ id, name, coin, network }) => (
          <label key={id} className={styles.currency}>
            <input
              type="radio"
              name="currency"
              className={styles.radio}
              checked={id === currency}
              onChange={() => onChange(id)}
            />
            <CoinMark coin={coin} size={30} />
            <span className={styles.names}>
              <bdi className={styles.name}>{name}</bdi>
              <bdi className={styles.network}>
                {id === "bep20" || id === "erc" ? `${coin} · ${network}` : network}
              </bdi>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** Creates the payment. The tab opens with the press itself: browsers block one that opens after an answer. */
function useCreation(sameTab: boolean, onClose: () => void) {
  const language = useLanguage();
  const [, navigate] = useLocation();
  const [isBusy, setBusy] = useState(false);
  const [refused, setRefused] = useState<Refused<string>>();
  async function create(wallet: string, amount: string) {
    const tab = sameTab ? null : window.open("", "_blank");
    setBusy(true);
    setRefused(undefined);
    const answer = await api.createPayment({ wallet, amount });
    setBusy(false);
    if (!answer.ok) {
      tab?.close();
      setRefused(answer);
      return;
    }
    const address = paths.pay(language, answer.data.id);
    // Without a tab of its own (blocked after all) the payment is shown here.
    if (tab) tab.location.href = address;
    else navigate(address);
    onClose();
  }
  return { isBusy, refused, create };
}
