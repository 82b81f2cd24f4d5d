import { type FormEvent, useId, useState } from "react";
import { nameLengthMax } from "../../contract/limits.ts";
import { api } from "../api.ts";
import { useAccountText } from "../language.tsx";
import { refusalText } from "../refusalText.ts";
import { Button } from "../ui/button/Button.tsx";
import { Dialog } from "../ui/dialog/Dialog.tsx";
import { Notice } from "../ui/feedback/Notice.tsx";
import { toast } from "../ui/feedback/toast.ts";
import { TextField } from "../ui/form/Input.tsx";
import { useBusy } from "../useBusy.ts";
import styles from "./Factors.module.css";
import { makePasskey } from "./passkeys.ts";

interface PasskeyDialogProps {
  onClose: () => void;
  /** With the recovery codes that come with the first factor. */
  onAdded: (codes?: readonly string[]) => void;
}

export function PasskeyDialog({ onClose, onAdded }: PasskeyDialogProps) {
  const t = useAccountText();
  const id = useId();
  const [name, setName] = useState("");
  const [isBusy, whileBusy] = useBusy();
  const [wrong, setWrong] = useState<{ name?: string; form?: string }>({});
  const add = async () => {
    const begun = await api.beginPasskey({});
    if (!begun.ok) return setWrong({ form: refusalText(t, begun) });
    const passkey = await makePasskey(begun.data.options);
    if (passkey === undefined) return setWrong({ form: t("factors.passkey.failed") });
    const added = await api.addPasskey({ name: name.trim(), passkey });
    if (!added.ok) return setWrong({ form: refusalText(t, added) });
    // A toast would lie over the codes on a phone, and they say as much.
    if (!added.data.recovery_codes) toast("good", t("factors.done"));
    onAdded(added.data.recovery_codes);
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    if (name.trim() === "") {
      setWrong({ name: t("token.name.empty") });
      event.currentTarget.querySelector("input")?.focus();
      return;
    }
    setWrong({});
    void whileBusy(add);
  };
  const footer = (
    <Button type="submit" form={id} wide size="large" busy={isBusy}>
      {t("factors.passkey.add")}
    </Button>
  );
  return (
    <Dialog title={t("factors.passkey.add")} onClose={onClose} footer={footer}>
      <form id={id} noValidate onSubmit={submit} className={styles.form}>
        <p>{t("factors.passkey.text")}</p>
        <NameField value={name} error={wrong.name} onChange={setName} />
        {wrong.form !== undefined && <Notice tone="bad">{wrong.form}</Notice>}
      </form>
    </Dialog>
  );
}

interface NameFieldProps {
  value: string;
  error: string | undefined;
  onChange: (name: string) => void;
}

export function NameField({ value, error, onChange }: NameFieldProps) {
  const t = useAccountText();
  return (
    <TextField
      label={t("factors.name")}
      hint={t("factors.name.hint")}
      error={error}
      data-autofocus
      dir="auto"
      autoComplete="off"
      maxLength={nameLengthMax}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
