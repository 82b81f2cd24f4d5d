import { useState } from "react";
import { codeResendSeconds } from "../../contract/limits.ts";
import { api } from "../api.ts";
import { useLanguage, useText } from "../language.tsx";
import { signIn } from "../session.ts";
import { stored } from "../stored.ts";
import { Button } from "../ui/button/Button.tsx";
import { Notice } from "../ui/feedback/Notice.tsx";
import { openAuth, useAskedAuth } from "./authDialog.ts";
import { EmailField } from "./EmailField.tsx";
import { emailFault, type Faults, useForm } from "./form.ts";
import { focusFirst } from "./focusFirst.ts";
import styles from "./forms.module.css";
import { NewPassword, type Passwords } from "./NewPassword.tsx";
import { faultOf, newPasswordFault, repeatFault } from "./rules.ts";
import { CaptchaField, useCaptcha } from "./useCaptcha.tsx";

type Name = "email" | "password" | "repeat" | "captcha";

/** E-mail, password twice, captcha; on success the token is kept and the code is asked for (spec B §4). */
export function RegisterForm() {
  const t = useText();
  const language = useLanguage();
  const [email, setEmail] = useState(useAskedAuth()?.email ?? "");
  const [passwords, setPasswords] = useState<Passwords>({ password: "", repeat: "" });
  const captcha = useCaptcha();
  const check = (form: HTMLFormElement): Faults<Name> => ({
    ...faultsOf(form, email, passwords),
    ...(captcha.payload === "" && { captcha: { key: "auth.error.captcha" } }),
  });
  const send = async (): Promise<Faults<Name> | undefined> => {
    // `localization` is fixed by the specification (B §7); `language` says in which language to write to the user.
    const ask = { email, localization: "ru", language, recaptcha: captcha.payload };
    const answer = await api.registration({ ...ask, password: passwords.password });
    captcha.renew();
    if (answer.ok) return welcome(answer.data.token || answer.data.data.token, email);
    // Who registered before, knows the password and has not entered the code yet is given the token with the refusal.
    if (answer.more.token) return welcome(answer.more.token, email);
    if (answer.value.includes("already")) openAuth("activate", { email });
    return { form: faultOf("register", answer.value, answer.more.retry_after) };
  };
  const form = useForm<Name>(check, send);
  return (
    <form ref={focusFirst} noValidate className={styles.form} onSubmit={form.onSubmit}>
      <EmailField
        value={email}
        error={form.fault("email")}
        onChange={(value) => {
          setEmail(value);
          form.clear("email");
        }}
      />
      <NewPassword
        label={t("auth.password")}
        email={email}
        value={passwords}
        fault={form.fault}
        onChange={(value, name) => {
          setPasswords(value);
          form.clear(name);
        }}
      />
      <CaptchaField captcha={captcha} error={form.fault("captcha")} />
      {form.fault("form") && <Notice tone="bad">{form.fault("form")}</Notice>}
      <Button type="submit" size="large" wide busy={form.busy}>
        {t("auth.register.do")}
      </Button>
      <p className={styles.switch}>
        {t("auth.register.have")}{" "}
        <button type="button" className={styles.link} onClick={() => openAuth("login")}>
          {t("auth.login")}
        </button>
      </p>
    </form>
  );
}

function faultsOf(form: HTMLFormElement, email: string, passwords: Passwords): Faults<Name> {
  const noEmail = emailFault(form, email);
  const wrong = newPasswordFault(passwords.password, email);
  const differs = repeatFault(passwords);
  return {
    ...(noEmail && { email: noEmail }),
    ...(wrong && { password: { key: wrong } }),
    ...(differs && { repeat: { key: differs } }),
  };
}

/** Keeps the token, starts the resend countdown and asks for the code. */
function welcome(token: string, email: string): Faults<Name> | undefined {
  if (token === "") return { form: { key: "auth.error.tokenMissing" } };
  signIn(token);
  stored.activationResendTime.write(Date.now() + codeResendSeconds * 1000);
  openAuth("activate", { email });
  return undefined;
}
