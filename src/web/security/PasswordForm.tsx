import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { PublicKey } from "../../i18n/t.ts";
import { api } from "../api.ts";
import { newPasswordError, refusalError, repeatError } from "../auth/fieldErrors.ts";
import styles from "../auth/forms.module.css";
import { NewPasswordFields, type Passwords } from "../auth/NewPasswordFields.tsx";
import { SubmitButton } from "../auth/SubmitButton.tsx";
import { type FieldErrors, useForm } from "../auth/useForm.ts";
import { useAccountText } from "../language.tsx";
import { Dialog } from "../ui/dialog/Dialog.tsx";
import { toast } from "../ui/feedback/toast.ts";
import { PasswordInput } from "../ui/form/Input.tsx";

type Name = "current" | "password" | "repeat";

/** A new password, with the current one. Says what goes on working. */
export function PasswordForm({ email, onClose }: { email: string; onClose: () => void }) {
  const t = useAccountText();
  const client = useQueryClient();
  const [current, setCurrent] = useState("");
  const [passwords, setPasswords] = useState<Passwords>({ password: "", repeat: "" });
  const send = async (): Promise<FieldErrors<Name> | undefined> => {
    const answer = await api.setPassword({ current, password: passwords.password });
    if (!answer.ok) {
      const wrong = refusalError("reset", answer.value, answer.more.retry_after);
      if (answer.value === "invalid password") return { current: wrong };
      return answer.value.startsWith("password ") ? { password: wrong } : { form: wrong };
    }
    toast("good", t("own.password.done", { count: answer.data.ended }));
    void client.invalidateQueries({ queryKey: ["sessions"] });
    onClose();
    return undefined;
  };
  const form = useForm<Name>(() => errorsOf(current, passwords, email), send);
  return (
    <Dialog title={t("own.password.change")} onClose={onClose}>
      <form noValidate className={styles.form} onSubmit={form.onSubmit}>
        {/* Password managers store the new password for this address. */}
        <input hidden name="username" autoComplete="username" value={email} readOnly />
        <PasswordInput
          label={t("own.password.current")}
          name="current"
          autoComplete="current-password"
          data-autofocus
          error={form.error("current")}
          onChange={({ target }) => form.onTyped("current", setCurrent)(target.value)}
        />
        <NewPasswordFields
          label={t("own.password.new")}
          email={email}
          value={passwords}
          error={form.error}
          onChange={(value, name) => form.onTyped(name, setPasswords)(value)}
        />
        <p className={styles.text}>{t("own.password.programs")}</p>
        <SubmitButton form={form}>{t("own.password.change")}</SubmitButton>
      </form>
    </Dialog>
  );
}

function errorsOf(current: string, passwords: Passwords, email: string): FieldErrors<Name> {
  const wrong: [Name, PublicKey | undefined][] = [
    ["current", current === "" ? "auth.error.passwordEmpty" : undefined],
    ["password", newPasswordError(passwords.password, email)],
    ["repeat", repeatError(passwords)],
  ];
  return Object.fromEntries(wrong.flatMap(([name, key]) => (key ? [[name, { key }]] : [])));
}
