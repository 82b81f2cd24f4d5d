import { useEffect, useId, useRef, useState } from "react";
import { codeDigits, codeResendSeconds, linkLetters } from "../../contract/limits.ts";
import { api } from "../api.ts";
import { useLanguage, useText } from "../language.tsx";
import { useServerData } from "../serverData.tsx";
import { Notice } from "../ui/feedback/Notice.tsx";
import { toast } from "../ui/feedback/toast.ts";
import { forgetMailLink, openAuth, useAuthRequest, useLinkedCode } from "./authDialog.ts";
import { CodeField } from "./CodeField.tsx";
import { solveAltcha } from "./captcha.ts";
import { type FieldErrors, useForm } from "./useForm.ts";
import { focusFirstField } from "./focusFirstField.ts";
import { SubmitButton } from "./SubmitButton.tsx";
import styles from "./forms.module.css";
import { NewPasswordFields, type Passwords } from "./NewPasswordFields.tsx";
import { ResendButton } from "./ResendButton.tsx";
import { refusalError, newPasswordError, repeatError, resendError, waitSeconds } from "./fieldErrors.ts";
import { useBusy } from "../useBusy.ts";
import { serverNow } from "../ui/display/clock.ts";

type Name = "code" | "password" | "repeat";

/** How long "password changed" stays before the sign-in form returns (spec B §9). */
const bannerMilliseconds = 2500;

interface ResetConfirmProps {
  email: string;
  resendAt: number;
  onResent: (resendAt: number) => void;
  /** Back to step one: only the visitor can solve its captcha. */
  onRestart: () => void;
}

export function ResetConfirm({ email, resendAt, onResent, onRestart }: ResetConfirmProps) {
  const t = useText();
  const language = useLanguage();
  const element = useRef<HTMLFormElement>(null);
  const linked = useLinkedCode("reset");
  // "This was not me" has ended the programs.
  const isEnded = useAuthRequest()?.link?.mode === "disown";
  const [typed, setCode] = useState("");
  const code = linked ?? typed;
  const [passwords, setPasswords] = useState<Passwords>({ password: "", repeat: "" });
  const [keeps, setKeeps] = useState(false);
  const [changed, setChanged] = useState(false);
  const send = async (): Promise<FieldErrors<Name> | undefined> => {
    const answer = await api.changePassword({
      email,
      code,
      password: passwords.password,
      keep_programs: keeps ? "1" : "0",
      language,
    });
    if (!answer.ok) {
      const wrong = changeError(answer.value, answer.more.retry_after);
      if (wrong.key !== "auth.error.invalidCode") return { form: wrong };
      setCode("");
      forgetMailLink();
      focusFirstField(element.current);
      return { code: wrong };
    }
    forgetMailLink();
    setChanged(true);
    return undefined;
  };
  const form = useForm<Name>(() => errorsOf(code, email, passwords), send);
  useEffect(() => focusFirstField(element.current), []);
  if (changed) return <PasswordChanged />;
  return (
    <form ref={element} noValidate className={styles.form} onSubmit={form.onSubmit}>
      {/* Password managers store the new password for this address. */}
      <input hidden readOnly type="email" name="email" autoComplete="username" value={email} />
      <CodeField
        linked={linked}
        value={typed}
        error={form.error("code")}
        onChange={form.onTyped("code", setCode)}
      />
      <NewPasswordFields
        label={t("auth.password.new")}
        email={email}
        value={passwords}
        error={form.error}
        onChange={(value, name) => {
          setPasswords(value);
          form.clear(name);
        }}
      />
      {!isEnded && <KeepPrograms keeps={keeps} onChange={setKeeps} />}
      <SubmitButton form={form}>{t("auth.reset.do")}</SubmitButton>
      <ResendReset email={email} resendAt={resendAt} onResent={onResent} onRestart={onRestart} />
    </form>
  );
}

function errorsOf(code: string, email: string, passwords: Passwords): FieldErrors<Name> {
  const wrong = newPasswordError(passwords.password, email);
  const differs = repeatError(passwords);
  return {
    ...(code.length !== codeDigits && code.length !== linkLetters && { code: { key: "auth.error.code" } }),
    ...(wrong && { password: { key: wrong } }),
    ...(differs && { repeat: { key: differs } }),
  };
}

/** Whether tokens of programs stay valid: an intruder may have made some. */
function KeepPrograms({ keeps, onChange }: { keeps: boolean; onChange: (keeps: boolean) => void }) {
  const t = useText();
  const hintId = useId();
  return (
    <div className={styles.keep}>
      <label>
        <input
          type="checkbox"
          aria-describedby={hintId}
          checked={keeps}
          onChange={({ target }) => onChange(target.checked)}
        />
        <span>{t("auth.reset.keep")}</span>
      </label>
      <p id={hintId}>{t("auth.reset.keep.hint")}</p>
    </div>
  );
}

function PasswordChanged() {
  const t = useText();
  useEffect(() => {
    const timer = setTimeout(() => openAuth("login", { email: "" }), bannerMilliseconds);
    return () => clearTimeout(timer);
  }, []);
  return <Notice tone="good">{t("auth.done.password")}</Notice>;
}

const changeError = (value: string, retryAfter: number | undefined) =>
  value === "connection" ? { key: "auth.error.change" as const } : refusalError("reset", value, retryAfter);

function ResendReset({ email, resendAt, onResent, onRestart }: ResetConfirmProps) {
  const t = useText();
  const { kind } = useServerData().captcha;
  const [busy, whileBusy] = useBusy();
  const resend = async () => {
    if (kind !== "altcha" && kind !== "off") return onRestart();
    const answer = await whileBusy(async () => {
      const captcha = kind === "off" ? "off" : await solveAltcha().catch(() => "");
      return api.sendCodeReset({ email, captcha });
    });
    const seconds = answer.ok ? codeResendSeconds : (waitSeconds(answer.value) ?? 0);
    onResent(serverNow() + seconds * 1000);
    if (answer.ok) toast("good", t("auth.done.code"));
    else {
      const error = resendError(answer.value, answer.more.retry_after);
      toast("bad", t(error.key, error.holes));
    }
  };
  return <ResendButton until={resendAt} busy={busy} onResend={() => void resend()} />;
}
