import { useState } from "react";
import { codeResendSeconds } from "../../contract/limits.ts";
import { api } from "../api.ts";
import { useText } from "../language.tsx";
import { Button } from "../ui/button/Button.tsx";
import { useCountdown } from "../ui/display/Countdown.tsx";
import { Notice } from "../ui/feedback/Notice.tsx";
import { toast } from "../ui/feedback/toast.ts";
import { EmailField } from "./EmailField.tsx";
import { emailError, type FieldErrors, useForm } from "./useForm.ts";
import { focusFirstField } from "./focusFirstField.ts";
import styles from "./forms.module.css";
import { refusalError, waitSeconds } from "./fieldErrors.ts";
import { CaptchaField, useCaptcha } from "./useCaptcha.tsx";
import { serverNow } from "../ui/display/clock.ts";

type Name = "email" | "captcha";

interface ResetRequestProps {
  email: string;
  onEmail: (email: string) => void;
  /** The code was sent; the next may follow at this time (milliseconds since 1970). */
  onSent: (resendAt: number) => void;
}

export function ResetRequest({ email, onEmail, onSent }: ResetRequestProps) {
  const t = useText();
  const captcha = useCaptcha(email !== "");
  const [waitUntil, setWaitUntil] = useState(0);
  const seconds = useCountdown(waitUntil);
  const check = (form: HTMLFormElement): FieldErrors<Name> => {
    const noEmail = emailError(form, email);
    return {
      ...(noEmail && { email: noEmail }),
      ...(captcha.payload === "" && { captcha: { key: "auth.error.captcha" } }),
    };
  };
  const send = async (): Promise<FieldErrors<Name> | undefined> => {
    const answer = await api.sendCodeReset({ email, captcha: captcha.payload });
    if (answer.ok) {
      toast("good", t("auth.done.code"));
      onSent(serverNow() + codeResendSeconds * 1000);
      return undefined;
    }
    captcha.renew();
    setWaitUntil(serverNow() + (waitSeconds(answer.value) ?? 0) * 1000);
    return { form: refusalError("reset", answer.value, answer.more.retry_after) };
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
      <p className={styles.text}>{t("auth.reset.text")}</p>
      <EmailField value={email} error={form.error("email")} onChange={form.onTyped("email", onEmail)} />
      <CaptchaField captcha={captcha} error={form.error("captcha")} />
      {form.error("form") && (
        <Notice tone="bad">
          {seconds > 0 ? t("auth.error.wait", { count: seconds }) : form.error("form")}
        </Notice>
      )}
      <Button type="submit" size="large" wide busy={form.busy} disabled={seconds > 0}>
        {t("auth.reset.send")}
      </Button>
    </form>
  );
}
