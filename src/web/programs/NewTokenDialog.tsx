import { type FormEvent, useState } from "react";
import { nameLengthMax } from "../../contract/limits.ts";
import { api, type Refused } from "../api.ts";
import { useAccountText } from "../language.tsx";
import { refusalText } from "../refusalText.ts";
import { Button } from "../ui/button/Button.tsx";
import { Dialog } from "../ui/dialog/Dialog.tsx";
import { TextField, verbatim } from "../ui/form/Input.tsx";
import { Notice } from "../ui/feedback/Notice.tsx";
import { SelectField } from "../ui/form/Select.tsx";
import styles from "./Programs.module.css";
import { DollarField } from "./DollarField.tsx";
import { askOf, emptyDraft, lifeDays, type TokenDraft } from "./tokens.ts";
import { useBusy } from "../useBusy.ts";
import { serverNow } from "../ui/display/clock.ts";

interface NewTokenDialogProps {
  onClose: () => void;
  onMade: (token: string) => void;
}

const fields = ["name", "sites", "price_max", "budget_day", "expires_at"];

export function NewTokenDialog({ onClose, onMade }: NewTokenDialogProps) {
  const t = useAccountText();
  const [draft, setDraft] = useState<TokenDraft>(emptyDraft);
  const [isBusy, whileBusy] = useBusy();
  const [refused, setRefused] = useState<Refused<string>>();
  const [isNameless, setNameless] = useState(false);
  const change = (changed: Partial<TokenDraft>) => {
    setDraft({ ...draft, ...changed });
    setRefused(undefined);
    setNameless(false);
  };
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    if (draft.name.trim() === "") {
      setNameless(true);
      event.currentTarget.querySelector("input")?.focus();
      return;
    }
    const answer = await whileBusy(() => api.addToken(askOf(draft, serverNow() / 1000)));
    if (answer.ok) onMade(answer.data.token);
    else setRefused(answer);
  };
  const errorAt = (field: string) => {
    if (field === "name" && isNameless) return t("token.name.empty");
    return refused?.value === field ? refusalText(t, refused) : undefined;
  };
  const footer = (
    <Button type="submit" form="new-token" wide size="large" busy={isBusy}>
      {t("token.make")}
    </Button>
  );
  return (
    <Dialog title={t("token.new")} onClose={onClose} footer={footer}>
      <form id="new-token" noValidate onSubmit={(event) => void submit(event)} className={styles.form}>
        <Fields draft={draft} onChange={change} errorAt={errorAt} />
        {refused && !fields.includes(refused.value) && <Notice tone="bad">{refusalText(t, refused)}</Notice>}
      </form>
    </Dialog>
  );
}

interface FieldsProps {
  draft: TokenDraft;
  onChange: (changed: Partial<TokenDraft>) => void;
  errorAt: (field: string) => string | undefined;
}

function Fields({ draft, onChange: change, errorAt }: FieldsProps) {
  const t = useAccountText();
  return (
    <>
      <TextField
        label={t("token.name")}
        hint={t("token.name.hint")}
        error={errorAt("name")}
        data-autofocus
        dir="auto"
        autoComplete="off"
        maxLength={nameLengthMax}
        value={draft.name}
        onChange={(event) => change({ name: event.target.value })}
      />
      <TextField
        label={t("token.sites")}
        hint={t("token.sites.hint")}
        error={errorAt("sites")}
        {...verbatim}
        placeholder="instagram.com, x.com"
        value={draft.sites}
        onChange={(event) => change({ sites: event.target.value })}
      />
      <div className={styles.pair}>
        <DollarField
          label={t("token.priceMax")}
          placeholder="0.01"
          error={errorAt("price_max")}
          value={draft.priceMax}
          onChange={(priceMax) => change({ priceMax })}
        />
        <DollarField
          label={t("token.budgetDay")}
          placeholder="5"
          error={errorAt("budget_day")}
          value={draft.budgetDay}
          onChange={(budgetDay) => change({ budgetDay })}
        />
      </div>
      <SelectField
        label={t("token.expires")}
        error={errorAt("expires_at")}
        value={draft.days}
        onChange={(event) => change({ days: Number(event.target.value) })}
        choices={lifeDays.map((days) => ({
          value: String(days),
          label: days === 0 ? t("token.life.never") : t("token.life.days", { count: days }),
        }))}
      />
    </>
  );
}
