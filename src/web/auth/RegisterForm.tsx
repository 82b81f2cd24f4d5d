import { useState } from "react";
import { codeResendSeconds } from "../../contract/limits.ts";
import { api } from "../api.ts";
import { useLanguage, useText } from "../language.tsx";
import { signIn } from "../session.ts";
import { stored } from "../stored.ts";
import { openAuth, useAuthRequest } from "./authDialog.ts";
import { EmailField } from "./EmailField.tsx";
import { emailError, type FieldErrors, useForm } from "./useForm.ts";
import { focusFirstField } from "./focusFirstField.ts";
import { SubmitButton } from "./SubmitButton.tsx";
import styles from "./forms.module.css";
import { NewPasswordFields, type Passwords } from "./NewPasswordFields.tsx";
import { refusalError, newPasswordError, repeatError } from "./fieldErrors.ts";
import { CaptchaField, useCaptcha } from "./useCaptcha.tsx";
import { serverNow } from "../ui/display/clock.ts";

type Name = "email" | "password" | "repeat" | "captcha";

/** Registration: on success stores the token and asks for the code (spec B §4). */
export function RegisterForm() {
  const t = useText();
  const language = useLanguage();
  const [email, setEmail] = useState(useAuthRequest()?.email ?? "");
  const [passwords, setPasswords] = useState<Passwords>({ password: "", repeat: "" });
  const captcha = useCaptcha();
  const check = (form: HTMLFormElement): FieldErrors<Name> => ({
    ...errorsOf(form, email, passwords),
    ...(captcha.payload === "" && { captcha: { key: "auth.error.captcha" } }),
  });
  const send = async (): Promise<FieldErrors<Name> | undefined> => {
    // The specification fixes `localization` (B §7); `language` selects the language of mails.
    const ask = { email, localization: "ru", language, recaptcha: captcha.payload };
    const answer = await api.registration({ ...ask, password: passwords.password });
    captcha.renew();
    if (answer.ok) return welcome(answer.data.token || answer.data.data.token, email);
    // The server adds the token when an account without activation registers again with its password.
    if (answer.more.token) return welcome(answer.more.token, email);
    if (answer.value.includes("already")) openAuth("activate", { email });
    return { form: refusalError("register", answer.value, answer.more.retry_after) };
  };
  const form = useForm<Name>(check, send);
  return (
    <form
      ref={focusFirstField}
      noValidate
      className={styles.form}
      onInput={captcha.begin}
      onSubmit={form.onSubmit}
    >
      <EmailField value={email} error={form.error("email")} onChange={form.onTyped("email", setEmail)} />
      <NewPasswordFields
        label={t("auth.password")}
        email={email}
        value={passwords}
        error={form.error}
        onChange={(value, name) => {
          setPasswords(value);
          form.clear(name);
        }}
      />
      <CaptchaField captcha={captcha} error={form.error("captcha")} />
      <SubmitButton form={form}>{t("auth.register.do")}</SubmitButton>
      <p className={styles.switch}>
        {t("auth.register.have")}{" "}
        <button type="button" className={styles.link} onClick={() => openAuth("login", { email })}>
          {t("auth.login")}
        </button>
      </p>
    </form>
  );
}

function errorsOf(form: HTMLFormElement, email: string, passwords: Passwords): FieldErrors<Name> {
  const noEmail = emailError(form, email);
  const wrong = newPasswordError(passwords.password, email);
  const differs = repeatError(passwords);
  return {
    ...(noEmail && { email: noEmail }),
    ...(wrong && { password: { key: wrong } }),
    ...(differs && { repeat: { key: differs } }),
  };
}

function welcome(token: string, email: string): FieldErrors<Name> | undefined {
  if (token === "") return { form: { key: "auth.error.tokenMissing" } };
  signIn(token);
  stored.activationResendTime.write(serverNow() + codeResendSeconds * 1000);
  openAuth("activate", { email });
  return undefined;
}
