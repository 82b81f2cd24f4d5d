import { useState } from "react";
import { codeResendSeconds } from "../../contract/limits.ts";
import { api } from "../api.ts";
import { useText } from "../language.tsx";
import { Button } from "../ui/Button.tsx";
import { useCountdown } from "../ui/Countdown.tsx";
import { Notice } from "../ui/Notice.tsx";
import { toast } from "../ui/toast.ts";
import { EmailField } from "./EmailField.tsx";
import { emailFault, type Faults, useForm } from "./form.ts";
import { focusFirst } from "./focusFirst.ts";
import styles from "./forms.module.css";
import { faultOf, waitSeconds } from "./rules.ts";
import { CaptchaField, useCaptcha } from "./useCaptcha.tsx";

type Name = "email" | "captcha";

interface ResetRequestProps {
  email: string;
  onEmail: (email: string) => void;
  /** The code is on its way; the next may be sent at this moment (milliseconds since 1970). */
  onSent: (resendAt: number) => void;
}

/** The first step: whose password, and a captcha. */
export function ResetRequest({ email, onEmail, onSent }: ResetRequestProps) {
  const t = useText();
  const captcha = useCaptcha();
  const [waitUntil, setWaitUntil] = useState(0);
  const seconds = useCountdown(waitUntil);
  const check = (form: HTMLFormElement): Faults<Name> => {
    const noEmail = emailFault(form, email);
    return {
      ...(noEmail && { email: noEmail }),
      ...(captcha.payload === "" && { captcha: { key: "auth.error.captcha" } }),
    };
  };
  const send = async (): Promise<Faults<Name> | undefined> => {
    const answer = await api.sendCodeReset({ email, captcha: captcha.payload });
    if (answer.ok) {
      toast("good", t("auth.done.code"));
      onSent(Date.now() + codeResendSeconds * 1000);
      return undefined;
    }
    captcha.renew();
    setWaitUntil(Date.now() + (waitSeconds(answer.value) ?? 0) * 1000);
    return { form: faultOf("reset", answer.value, answer.more.retry_after) };
  };
  const form = useForm<Name>(check, send);
  return (
    <form ref={focusFirst} noValidate className={styles.form} onSubmit={form.onSubmit}>
      <p className={styles.text}>{t("auth.reset.text")}</p>
      <EmailField
        value={email}
        error={form.fault("email")}
        onChange={(value) => {
          onEmail(value);
          form.clear("email");
        }}
      />
      <CaptchaField captcha={captcha} error={form.fault("captcha")} />
      {form.fault("form") && (
        <Notice tone="bad">
          {seconds > 0 ? t("auth.error.wait", { count: seconds }) : form.fault("form")}
        </Notice>
      )}
      <Button type="submit" size="large" wide busy={form.busy} disabled={seconds > 0}>
        {t("auth.reset.send")}
      </Button>
    </form>
  );
}
