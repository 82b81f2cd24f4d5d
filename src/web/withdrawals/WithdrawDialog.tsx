import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useRef, useState } from "react";
import { newKey } from "../../client/key.ts";
import { api, type Refused } from "../api.ts";
import { exactPrice, isolated } from "../format.ts";
import { useAccountText, useLanguage } from "../language.tsx";
import { DollarField } from "../programs/DollarField.tsx";
import { refusalText } from "../refusalText.ts";
import { Button } from "../ui/button/Button.tsx";
import { Dialog } from "../ui/dialog/Dialog.tsx";
import { Notice } from "../ui/feedback/Notice.tsx";
import { toast } from "../ui/feedback/toast.ts";
import { TextField, verbatim } from "../ui/form/Input.tsx";
import { SelectField } from "../ui/form/Select.tsx";
import { useBusy } from "../useBusy.ts";
import {
  currencyOf,
  type Draft,
  mostOf,
  type Purse,
  readAgain,
  type Terms,
  walletName,
} from "./withdrawals.ts";
import { Review } from "./Review.tsx";
import styles from "./Withdrawals.module.css";

interface WithdrawDialogProps {
  /** Those with enough in them, at least one. */
  purses: readonly Purse[];
  terms: Terms;
  onClose: () => void;
}

const leftIn = (purses: readonly Purse[], way: Purse["way"]) =>
  purses.find((purse) => purse.way === way)?.left ?? "0";

/** Asks how much, in which coin and to which address, then shows it once more. */
export function WithdrawDialog({ purses, terms, onClose }: WithdrawDialogProps) {
  const t = useAccountText();
  const [draft, setDraft] = useState<Draft>(() => firstOf(purses, terms));
  const [isReviewed, setReviewed] = useState(false);
  const { isBusy, refused, forget, ask } = useAsking(onClose, () => setReviewed(false));
  const change = (more: Partial<Draft>) => {
    forget();
    setDraft({ ...draft, ...more });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReviewed) return void ask(draft);
    forget();
    setReviewed(true);
  };
  const most = mostOf(terms, leftIn(purses, draft.way));
  const isWithin = Number(draft.amount) >= Number(terms.least) && Number(draft.amount) <= most;
  const isWhole = isWithin && draft.address.trim() !== "";
  return (
    <Dialog
      title={t(isReviewed ? "withdrawal.review" : "withdrawal.title")}
      onClose={onClose}
      footer={
        <Foot
          draft={draft}
          isReviewed={isReviewed}
          isBusy={isBusy}
          isWhole={isWhole}
          onBack={() => setReviewed(false)}
        />
      }
    >
      <form id="withdrawal" noValidate className={styles.form} onSubmit={submit}>
        {isReviewed ? (
          <Review draft={draft} terms={terms} />
        ) : (
          <Inputs draft={draft} purses={purses} terms={terms} refused={refused} onChange={change} />
        )}
      </form>
    </Dialog>
  );
}

function firstOf(purses: readonly Purse[], terms: Terms): Draft {
  const [first] = purses;
  const way = first?.way ?? "soft";
  return {
    way,
    amount: String(mostOf(terms, first?.left ?? "0")),
    wallet: terms.wallets[0]?.id ?? "",
    address: "",
  };
}

interface InputsProps {
  draft: Draft;
  purses: readonly Purse[];
  terms: Terms;
  refused: Refused<string> | undefined;
  onChange: (more: Partial<Draft>) => void;
}

const ofAddress = ["address", "own address"];
const ofAmount = ["payout", "too small", "too large", "more than due"];

function Inputs({ draft, purses, terms, refused, onChange }: InputsProps) {
  const t = useAccountText();
  const language = useLanguage();
  const { way, amount, wallet, address } = draft;
  const network = currencyOf(wallet)?.network ?? "";
  const dollars = (sum: string) => isolated(exactPrice(language, sum));
  const most = mostOf(terms, leftIn(purses, way));
  const why = refused && refusalText(t, refused);
  const errorOf = (values: readonly string[]) =>
    refused && values.includes(refused.value) ? why : undefined;
  return (
    <>
      {purses.length > 1 && (
        <SelectField
          label={t("withdrawal.from")}
          value={way}
          onChange={({ target }) => onChange({ way: target.value as Purse["way"] })}
          choices={purses.map(({ way: one, left = "0" }) => ({
            value: one,
            label: `${t(`statement.book.${one}`)}: ${exactPrice(language, left)}`,
          }))}
        />
      )}
      <DollarField
        label={t("withdrawal.amount")}
        hint={t("withdrawal.amount.hint", { least: dollars(terms.least), most: dollars(String(most)) })}
        error={errorOf(ofAmount)}
        data-autofocus
        value={amount}
        onChange={(sum) => onChange({ amount: sum })}
      />
      <SelectField
        label={t("withdrawal.wallet")}
        value={wallet}
        onChange={({ target }) => onChange({ wallet: target.value })}
        choices={terms.wallets.flatMap(({ id }) => {
          const currency = currencyOf(id);
          return currency ? [{ value: id, label: walletName(currency) }] : [];
        })}
      />
      <TextField
        {...verbatim}
        code
        label={t("withdrawal.address")}
        hint={t("withdrawal.address.hint", { network: isolated(network) })}
        error={errorOf(ofAddress)}
        maxLength={100}
        value={address}
        onChange={({ target }) => onChange({ address: target.value })}
      />
      {refused && !errorOf([...ofAmount, ...ofAddress]) && <Notice tone="bad">{why}</Notice>}
    </>
  );
}

interface FootProps {
  draft: Draft;
  isReviewed: boolean;
  isBusy: boolean;
  isWhole: boolean;
  onBack: () => void;
}

function Foot({ draft: { amount }, isReviewed, isBusy, isWhole, onBack }: FootProps) {
  const t = useAccountText();
  const language = useLanguage();
  if (!isReviewed)
    return (
      <Button type="submit" form="withdrawal" wide size="large" disabled={!isWhole}>
        {t("withdrawal.next")}
      </Button>
    );
  return (
    <>
      <Button tone="secondary" onClick={onBack}>
        {t("withdrawal.back")}
      </Button>
      <Button type="submit" form="withdrawal" busy={isBusy} data-autofocus>
        {t("withdrawal.do", { amount: isolated(exactPrice(language, amount)) })}
      </Button>
    </>
  );
}

function useAsking(onAsked: () => void, onRefused: () => void) {
  const t = useAccountText();
  const client = useQueryClient();
  const [isBusy, whileBusy] = useBusy();
  const [refused, setRefused] = useState<Refused<string>>();
  // Pressed again without an answer, it asks for the same one.
  const key = useRef(newKey());
  const ask = async ({ address, ...draft }: Draft) => {
    if (isBusy) return;
    const asked = { ...draft, address: address.trim(), key: key.current };
    const answer = await whileBusy(() => api.askWithdrawal(asked));
    if (!answer.ok) {
      // The question who it is was closed: the review stays.
      if (answer.value === "proof") return;
      if (answer.value === "key used") key.current = newKey();
      setRefused(answer);
      onRefused();
      return;
    }
    toast("good", t("withdrawal.asked"));
    readAgain(client);
    onAsked();
  };
  return { isBusy, refused, forget: () => setRefused(undefined), ask };
}
