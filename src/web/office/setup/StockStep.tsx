import { Plus } from "lucide-react";
import { type FormEvent, useState } from "react";
import { api } from "../../api.ts";
import { exactPrice } from "../../format.ts";
import { useLanguage, useOfficeText } from "../../language.tsx";
import { Button } from "../../ui/button/Button.tsx";
import { TextField } from "../../ui/form/Input.tsx";
import { Notice } from "../../ui/feedback/Notice.tsx";
import { SelectField } from "../../ui/form/Select.tsx";
import styles from "./Setup.module.css";
import { type SetupState, useStepAction } from "./useSetup.ts";
import { setupRefusalText } from "./setupRefusalText.ts";
import { Exact } from "../../ui/display/Exact.tsx";

export function StockStep({ setup: { domains } }: { setup: SetupState }) {
  const t = useOfficeText();
  const language = useLanguage();
  const onSale = domains.filter(({ on }) => on);
  const own = onSale.filter(({ kind }) => kind === "own").map(({ name }) => name);
  return (
    <>
      <p>{t("setup.stock.text")}</p>
      {onSale.length === 0 && <Notice>{t("setup.stock.none")}</Notice>}
      <ul className={styles.shelf}>
        {onSale.map(({ name, price, mailboxes }) => (
          <li key={name}>
            <Exact dir="ltr">{name}</Exact>
            <Exact>{exactPrice(language, price)}</Exact>
            <span>{t("setup.stock.mailboxes", { count: mailboxes })}</span>
          </li>
        ))}
      </ul>
      {own.length > 0 && <AddStock domains={own} />}
    </>
  );
}

function AddStock({ domains }: { domains: readonly string[] }) {
  const t = useOfficeText();
  const [chosen, choose] = useState(domains[0] ?? "");
  const [count, setCount] = useState("1000");
  const { isBusy, refused, forget, run } = useStepAction<object>();
  const domain = domains.includes(chosen) ? chosen : (domains[0] ?? "");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void run(() => api.addStock({ domain, count: count.trim() }));
  };
  return (
    <form noValidate aria-label={t("setup.stock.add")} className={styles.form} onSubmit={submit}>
      <SelectField
        label={t("setup.domain.name")}
        dir="ltr"
        choices={domains.map((name) => ({ value: name, label: name }))}
        value={domain}
        onChange={({ target }) => choose(target.value)}
      />
      <TextField
        label={t("setup.stock.count")}
        error={refused && setupRefusalText(t, refused)}
        dir="ltr"
        inputMode="numeric"
        autoComplete="off"
        maxLength={7}
        value={count}
        onChange={({ target }) => {
          setCount(target.value);
          forget();
        }}
      />
      <Button type="submit" busy={isBusy} icon={<Plus aria-hidden size={17} />}>
        {t("setup.stock.add")}
      </Button>
    </form>
  );
}
