import { useState } from "react";
import { api } from "../api.ts";
import { useText } from "../language.tsx";
import { signIn } from "../session.ts";
import { PasswordInput } from "../ui/form/Input.tsx";
import { openAuth } from "./authDialog.ts";
import { EmailField } from "./EmailField.tsx";
import { useAfterSignIn } from "./useAfterSignIn.ts";
import { emailError, type FieldErrors, useForm } from "./useForm.ts";
import { SubmitButton } from "./SubmitButton.tsx";
import styles from "./forms.module.css";
import { requiredPasswordError, refusalError, passwordErrorWhileTyping } from "./fieldErrors.ts";
import { CaptchaField, useCaptcha } from "./useCaptcha.tsx";

type Name = "email" | "password" | "captcha";

export function PasswordLogin({ email, onEmail }: { email: string; onEmail: (email: string) => void }) {
  const t = useText();
  const enter = useAfterSignIn();
  const [password, setPassword] = useState("");
  const captcha = useCaptcha();
  const check = (form: HTMLFormElement): FieldErrors<Name> => {
    const noEmail = emailError(form, email);
    const wrong = requiredPasswordError(password);
    return {
      ...(noEmail && { email: noEmail }),
      ...(wrong && { password: { key: wrong } }),
      ...(captcha.payload === "" && { captcha: { key: "auth.error.captcha" } }),
    };
  };
  const send = async (): Promise<FieldErrors<Name> | undefined> => {
    const answer = await api.authorize({ email, password, captcha: captcha.payload });
    if (answer.ok) {
      signIn(answer.data.data.token);
      enter();
      return undefined;
    }
    const { ticket, kinds = [], passkey } = answer.more;
    if (answer.value === "second factor" && ticket !== undefined) {
      openAuth("factor", { email, ways: { ticket, kinds, passkey } });
      return undefined;
    }
    captcha.renew();
    return { form: refusalError("login", answer.value, answer.more.retry_after) };
  };
  const form = useForm<Name>(check, send);
  const live = passwordErrorWhileTyping(password);
  return (
    <form noValidate className={styles.form} onInput={captcha.begin} onSubmit={form.onSubmit}>
      <EmailField value={email} error={form.error("email")} onChange={form.onTyped("email", onEmail)} />
      <PasswordInput
        label={t("auth.password")}
        name="password"
        autoComplete="current-password"
        error={live ? t(live) : form.error("password")}
        aside={
          <button type="button" className={styles.link} onClick={() => openAuth("reset", { email })}>
            {t("auth.login.forgot")}
          </button>
        }
        onChange={({ target }) => form.onTyped("password", setPassword)(target.value)}
      />
      <CaptchaField captcha={captcha} error={form.error("captcha")} />
      <SubmitButton form={form}>{t("auth.login.do")}</SubmitButton>
    </form>
  );
}
