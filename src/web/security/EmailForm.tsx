import { useEffect, useRef, useState } from "react";
import { codeDigits, codeResendSeconds } from "../../contract/limits.ts";
import { api } from "../api.ts";
import { EmailField } from "../auth/EmailField.tsx";
import { refusalError, waitSeconds } from "../auth/fieldErrors.ts";
import { focusFirstField } from "../auth/focusFirstField.ts";
import styles from "../auth/forms.module.css";
import { ResendButton } from "../auth/ResendButton.tsx";
import { SubmitButton } from "../auth/SubmitButton.tsx";
import { emailError, type FieldErrors, useForm } from "../auth/useForm.ts";
import { useAccountText } from "../language.tsx";
import { invalidateAccount } from "../session.ts";
import { Dialog } from "../ui/dialog/Dialog.tsx";
import { toast } from "../ui/feedback/toast.ts";
import { CodeBoxes } from "../ui/form/CodeBoxes.tsx";
import { useBusy } from "../useBusy.ts";
import { serverNow } from "../ui/display/clock.ts";

/** Another e-mail address: first which, then the codes that both addresses got. */
export function EmailForm({ email, onClose }: { email: string; onClose: () => void }) {
  const t = useAccountText();
  const [asked, setAsked] = useState<{ email: string; resendAt: number }>();
  return (
    <Dialog title={t("own.email.change")} onClose={onClose}>
      {asked === undefined ? (
        <Address email={email} onSent={(fresh) => setAsked({ email: fresh, resendAt: resendTime() })} />
      ) : (
        <Codes
          old={email}
          fresh={asked.email}
          resendAt={asked.resendAt}
          onResent={() => setAsked({ ...asked, resendAt: resendTime() })}
          onClose={onClose}
        />
      )}
    </Dialog>
  );
}

const resendTime = () => serverNow() + codeResendSeconds * 1000;

function Address({ email, onSent }: { email: string; onSent: (email: string) => void }) {
  const t = useAccountText();
  const [typed, setTyped] = useState("");
  const send = async (): Promise<FieldErrors<"email"> | undefined> => {
    const fresh = typed.trim().toLowerCase();
    const answer = await api.changeEmail({ email: fresh });
    if (answer.ok) {
      onSent(fresh);
      return undefined;
    }
    const wrong = refusalError("register", answer.value, answer.more.retry_after);
    return waitSeconds(answer.value) === undefined ? { email: wrong } : { form: wrong };
  };
  const check = (form: HTMLFormElement): FieldErrors<"email"> => {
    const wrong = emailError(form, typed);
    return wrong ? { email: wrong } : {};
  };
  const form = useForm<"email">(check, send);
  return (
    <form noValidate className={styles.form} onSubmit={form.onSubmit}>
      <p className={styles.text}>{t("own.email.text", { email })}</p>
      <EmailField
        label={t("own.email.new")}
        autoComplete="email"
        value={typed}
        error={form.error("email")}
        onChange={form.onTyped("email", setTyped)}
      />
      <SubmitButton form={form}>{t("own.email.send")}</SubmitButton>
    </form>
  );
}

interface CodesProps {
  old: string;
  fresh: string;
  resendAt: number;
  onResent: () => void;
  onClose: () => void;
}

function Codes({ old, fresh, resendAt, onResent, onClose }: CodesProps) {
  const t = useAccountText();
  const element = useRef<HTMLFormElement>(null);
  const [oldCode, setOldCode] = useState("");
  const [newCode, setNewCode] = useState("");
  const [isBusy, whileBusy] = useBusy();
  const send = async (): Promise<FieldErrors<"old" | "new"> | undefined> => {
    const answer = await api.confirmEmail({ email: fresh, code: oldCode, new_code: newCode });
    if (!answer.ok) {
      const value = answer.value === "token expired" ? "invalid code" : answer.value;
      const wrong = refusalError("register", value, answer.more.retry_after);
      if (answer.more.parameter === "code") return { old: wrong };
      return answer.more.parameter === "new_code" ? { new: wrong } : { form: wrong };
    }
    toast("good", t("own.email.done"));
    invalidateAccount();
    onClose();
    return undefined;
  };
  const check = (): FieldErrors<"old" | "new"> => ({
    ...(oldCode.length < codeDigits && { old: { key: "auth.error.code" as const } }),
    ...(newCode.length < codeDigits && { new: { key: "auth.error.code" as const } }),
  });
  const form = useForm<"old" | "new">(check, send);
  // The button that was pressed is gone.
  useEffect(() => focusFirstField(element.current), []);
  const resend = async () => {
    const answer = await whileBusy(() => api.changeEmail({ email: fresh }));
    if (answer.ok) onResent();
    else toast("bad", t("own.email.notSent"));
  };
  return (
    <form ref={element} noValidate className={styles.form} onSubmit={form.onSubmit}>
      <CodeBoxes
        label={t("own.email.code", { email: old })}
        autoFocus
        value={oldCode}
        error={form.error("old")}
        onChange={form.onTyped("old", setOldCode)}
      />
      <CodeBoxes
        label={t("own.email.code", { email: fresh })}
        value={newCode}
        error={form.error("new")}
        onChange={form.onTyped("new", setNewCode)}
      />
      <p className={styles.text}>{t("own.email.undo")}</p>
      <SubmitButton form={form}>{t("own.email.change")}</SubmitButton>
      <ResendButton until={resendAt} busy={isBusy} onResend={() => void resend()} />
    </form>
  );
}
