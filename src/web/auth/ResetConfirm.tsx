import { useEffect, useId, useState } from "react";
import { codeDigits, codeResendSeconds } from "../../contract/limits.ts";
import { api } from "../api.ts";
import { useText } from "../language.tsx";
import { useServerData } from "../serverData.tsx";
import { Button } from "../ui/Button.tsx";
import { CodeBoxes } from "../ui/CodeBoxes.tsx";
import { Notice } from "../ui/Notice.tsx";
import { toast } from "../ui/toast.ts";
import { openAuth } from "./authDialog.ts";
import { solveAltcha } from "./captcha.ts";
import { type Faults, useForm } from "./form.ts";
import { focusFirst } from "./focusFirst.ts";
import styles from "./forms.module.css";
import { NewPassword, type Passwords } from "./NewPassword.tsx";
import { Resend } from "./Resend.tsx";
import { faultOf, newPasswordFault, repeatFault, resendFault, waitSeconds } from "./rules.ts";

type Name = "code" | "password" | "repeat";

/** How long "password changed" stays before sign-in comes back (spec B §9). */
const bannerMilliseconds = 2500;

interface ResetConfirmProps {
  email: string;
  resendAt: number;
  onResent: (resendAt: number) => void;
  /** Back to the first step: its captcha can only be solved by hand. */
  onRestart: () => void;
}

/** The second step: the code, the new password, and once more. */
export function ResetConfirm({ email, resendAt, onResent, onRestart }: ResetConfirmProps) {
  const t = useText();
  const [code, setCode] = useState("");
  const [passwords, setPasswords] = useState<Passwords>({ password: "", repeat: "" });
  const [keeps, setKeeps] = useState(false);
  const [changed, setChanged] = useState(false);
  const check = () => faultsOf(code, email, passwords);
  const send = async (): Promise<Faults<Name> | undefined> => {
    const answer = await api.changePassword({
      email,
      code,
      password: passwords.password,
      keep_programs: keeps ? "1" : "0",
    });
    if (!answer.ok) return { form: changeFault(answer.value, answer.more.retry_after) };
    setChanged(true);
    return undefined;
  };
  const form = useForm<Name>(check, send);
  if (changed) return <Changed />;
  return (
    <form ref={focusFirst} noValidate className={styles.form} onSubmit={form.onSubmit}>
      {/* Password managers keep the new password under this name. */}
      <input hidden readOnly type="email" name="email" autoComplete="username" value={email} />
      <CodeBoxes
        label={t("auth.code")}
        autoFocus
        value={code}
        error={form.fault("code")}
        onChange={(value) => {
          setCode(value);
          form.clear("code");
        }}
      />
      <NewPassword
        label={t("auth.password.new")}
        email={email}
        value={passwords}
        fault={form.fault}
        onChange={(value, name) => {
          setPasswords(value);
          form.clear(name);
        }}
      />
      <KeepPrograms keeps={keeps} onChange={setKeeps} />
      {form.fault("form") && <Notice tone="bad">{form.fault("form")}</Notice>}
      <Button type="submit" size="large" wide busy={form.busy}>
        {t("auth.reset.do")}
      </Button>
      <ResendReset email={email} resendAt={resendAt} onResent={onResent} onRestart={onRestart} />
    </form>
  );
}

function faultsOf(code: string, email: string, passwords: Passwords): Faults<Name> {
  const wrong = newPasswordFault(passwords.password, email);
  const differs = repeatFault(passwords);
  return {
    ...(code.length !== codeDigits && { code: { key: "auth.error.code" } }),
    ...(wrong && { password: { key: wrong } }),
    ...(differs && { repeat: { key: differs } }),
  };
}

/** Whether what programs have goes on: whoever was in the account may have made some of it. */
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

/** Says so for a moment, then gives the sign-in its place; a dialog that was closed meanwhile stays closed. */
function Changed() {
  const t = useText();
  // Only a timer can end it.
  useEffect(() => {
    const timer = setTimeout(() => openAuth("login"), bannerMilliseconds);
    return () => clearTimeout(timer);
  }, []);
  return <Notice tone="good">{t("auth.done.password")}</Notice>;
}

const changeFault = (value: string, retryAfter: number | undefined) =>
  value === "connection" ? { key: "auth.error.change" as const } : faultOf("reset", value, retryAfter);

function ResendReset({ email, resendAt, onResent, onRestart }: ResetConfirmProps) {
  const t = useText();
  const { kind } = useServerData().captcha;
  const [busy, setBusy] = useState(false);
  const resend = async () => {
    if (kind !== "altcha" && kind !== "off") return onRestart();
    setBusy(true);
    const captcha = kind === "off" ? "off" : await solveAltcha().catch(() => "");
    const answer = await api.sendCodeReset({ email, captcha });
    setBusy(false);
    const seconds = answer.ok ? codeResendSeconds : (waitSeconds(answer.value) ?? 0);
    onResent(Date.now() + seconds * 1000);
    if (answer.ok) toast("good", t("auth.done.code"));
    else {
      const fault = resendFault(answer.value, answer.more.retry_after);
      toast("bad", t(fault.key, fault.holes));
    }
  };
  return <Resend until={resendAt} busy={busy} onResend={() => void resend()} />;
}
