import { Plus } from "lucide-react";
import { type FormEvent, useState } from "react";
import { domainLengthMax } from "../../../contract/limits.ts";
import { api } from "../../api.ts";
import { useOfficeText } from "../../language.tsx";
import { Button } from "../../ui/button/Button.tsx";
import { TextField, verbatim } from "../../ui/form/Input.tsx";
import { Notice } from "../../ui/feedback/Notice.tsx";
import { DnsCheck } from "./DnsCheck.tsx";
import { CopyLines } from "./CopyLine.tsx";
import styles from "./Setup.module.css";
import { type SetupState, useStepAction } from "./useSetup.ts";
import { setupRefusalText } from "./setupRefusalText.ts";

export function DomainStep({ setup: { domains, reception } }: { setup: SetupState }) {
  const t = useOfficeText();
  const own = domains.filter(({ kind, on }) => kind === "own" && on);
  const [first] = own;
  return (
    <>
      <p>{t("setup.domain.text")}</p>
      {!reception.named && (
        <>
          <Notice tone="warn">{t("setup.domain.nameless")}</Notice>
          <CopyLines lines={[`SMTP_NAME=mx.${first?.name ?? "letters.example"}`]} />
        </>
      )}
      {own.map(({ name, dns }) => (
        <DnsCheck key={name} domain={name} last={dns} />
      ))}
      <AddDomain />
    </>
  );
}

const priceLengthMax = 12;

function AddDomain() {
  const t = useOfficeText();
  const [name, setName] = useState("");
  const [price, setPrice] = useState("");
  const { isBusy, refused, forget, run } = useStepAction<object>();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const asked = { name: name.trim(), price: price.trim().replace(",", "."), kind: "own" as const };
    if (!(await run(() => api.addDomain(asked)))) return;
    setName("");
    setPrice("");
  };
  const error = refused && setupRefusalText(t, refused);
  const isOfPrice = refused?.value === "price";
  return (
    <form
      noValidate
      aria-label={t("setup.domain.add")}
      className={styles.form}
      onSubmit={(event) => void submit(event)}
    >
      <TextField
        label={t("setup.domain.name")}
        error={isOfPrice ? undefined : error}
        {...verbatim}
        placeholder="letters.example"
        maxLength={domainLengthMax}
        value={name}
        onChange={({ target }) => {
          setName(target.value);
          forget();
        }}
      />
      <TextField
        label={t("setup.domain.price")}
        error={isOfPrice ? error : undefined}
        dir="ltr"
        inputMode="decimal"
        autoComplete="off"
        maxLength={priceLengthMax}
        value={price}
        onChange={({ target }) => {
          setPrice(target.value);
          forget();
        }}
      />
      <Button type="submit" busy={isBusy} icon={<Plus aria-hidden size={17} />}>
        {t("setup.domain.add")}
      </Button>
    </form>
  );
}
