import { useState } from "react";
import { api } from "../api.ts";
import { useText } from "../language.tsx";
import { signIn } from "../session.ts";
import { PasswordInput } from "../ui/form/Input.tsx";
import { Tooltip } from "../ui/feedback/Tooltip.tsx";
import { useAfterSignIn } from "./useAfterSignIn.ts";
import { type FieldErrors, useForm } from "./useForm.ts";
import { SubmitButton } from "./SubmitButton.tsx";
import styles from "./forms.module.css";
import { CaptchaField, useCaptcha } from "./useCaptcha.tsx";

type Name = "token" | "captcha";

/** Tries the token on the activations list; accepts it unless the server refuses it (spec B §4). The server checks the captcha. */
export function TokenLogin() {
  const t = useText();
  const enter = useAfterSignIn();
  const [typed, setTyped] = useState("");
  const captcha = useCaptcha();
  const token = typed.trim();
  const check = (): FieldErrors<Name> => ({
    ...(token === "" && { token: { key: "auth.error.tokenEmpty" } }),
    ...(captcha.payload === "" && { captcha: { key: "auth.error.captcha" } }),
  });
  const send = async (): Promise<FieldErrors<Name> | undefined> => {
    const answer = await api.activations({ page: 1, captcha: captcha.payload }, { token });
    if (!answer.ok) captcha.renew();
    if (!answer.ok && answer.value === "captcha") return { captcha: { key: "auth.error.captcha" } };
    if (!answer.ok && answer.value === "token") return { token: { key: "auth.error.invalidToken" } };
    if (!answer.ok && answer.value === "connection") return { form: { key: "auth.error.server" } };
    signIn(token);
    enter();
    return undefined;
  };
  const form = useForm<Name>(check, send);
  return (
    <form noValidate className={styles.form} onInput={captcha.begin} onSubmit={form.onSubmit}>
      <PasswordInput
        label={t("auth.token")}
        showLabel={t("auth.token.show")}
        hideLabel={t("auth.token.hide")}
        name="token"
        autoComplete="off"
        code
        data-autofocus
        error={form.error("token")}
        aside={<Tooltip label={t("auth.token.where")} text={t("auth.token.tooltip")} />}
        onChange={({ target }) => form.onTyped("token", setTyped)(target.value)}
      />
      <CaptchaField captcha={captcha} error={form.error("captcha")} />
      <SubmitButton form={form}>{t("auth.login.do")}</SubmitButton>
    </form>
  );
}
