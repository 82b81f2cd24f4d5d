import { useEffect, useRef, useState } from "react";
import { codeDigits, codeResendSeconds } from "../../contract/limits.ts";
import { api } from "../api.ts";
import { useText } from "../language.tsx";
import { invalidateAccount, useToken } from "../session.ts";
import { signOut } from "../dashboard/signOut.ts";
import { stored, useStored } from "../stored.ts";
import { Button } from "../ui/button/Button.tsx";
import { Notice } from "../ui/feedback/Notice.tsx";
import { toast } from "../ui/feedback/toast.ts";
import { forgetMailLink, openAuth, useAuthRequest, useLinkedCode } from "./authDialog.ts";
import { CodeField } from "./CodeField.tsx";
import { useAfterSignIn } from "./useAfterSignIn.ts";
import { type FieldErrors, useForm } from "./useForm.ts";
import { focusFirstField } from "./focusFirstField.ts";
import styles from "./forms.module.css";
import { ResendButton } from "./ResendButton.tsx";
import { refusalError, resendError, waitSeconds } from "./fieldErrors.ts";
import { Exact } from "../ui/display/Exact.tsx";
import { useBusy } from "../useBusy.ts";
import { serverNow } from "../ui/display/clock.ts";

/** The code of the mail in six boxes, or the link of the mail, with resend and "later" (spec B §2, §4). */
export function ActivateForm() {
  const t = useText();
  const enter = useAfterSignIn();
  const token = useToken();
  const element = useRef<HTMLFormElement>(null);
  const linked = useLinkedCode("activate");
  const [typed, setCode] = useState("");
  const code = linked ?? typed;
  const filled = linked !== undefined || typed.length === codeDigits;
  const check = (): FieldErrors<"code"> => (filled ? {} : { code: { key: "auth.error.code" } });
  const send = async (): Promise<FieldErrors<"code"> | undefined> => {
    const answer = await api.activate({ code });
    if (answer.ok || answer.value === "invalid code" || answer.value === "token expired") forgetMailLink();
    if (!answer.ok) {
      if (answer.value === "invalid code") {
        setCode("");
        focusFirstField(element.current);
      }
      return { code: refusalError("activate", answer.value, answer.more.retry_after) };
    }
    stored.activationResendTime.remove();
    invalidateAccount();
    toast("good", t("auth.done.activated"));
    enter();
    return undefined;
  };
  const form = useForm<"code">(check, send);
  useEffect(() => focusFirstField(element.current), []);
  // Six digits are sent at once, a link when its visitor is signed in.
  const isReady = filled && (linked === undefined || token !== "");
  useEffect(() => {
    if (isReady) element.current?.requestSubmit();
  }, [isReady, code]);
  return (
    <form ref={element} noValidate className={styles.form} onSubmit={form.onSubmit}>
      {token === "" ? <AlreadyRegistered /> : <SentTo token={token} />}
      <CodeField
        linked={linked}
        value={typed}
        error={form.error("code")}
        onChange={form.onTyped("code", setCode)}
      />
      <Button type="submit" size="large" wide busy={form.busy} disabled={!isReady}>
        {t("auth.activate.do")}
      </Button>
      {!filled && <p className={styles.hint}>{t("auth.code.incomplete")}</p>}
      <div className={styles.row}>
        <ResendActivation />
        <button type="button" className={styles.link} onClick={enter}>
          {t("auth.activate.later")}
        </button>
      </div>
    </form>
  );
}

function SentTo({ token }: { token: string }) {
  const t = useText();
  const typed = useAuthRequest()?.email;
  const [known, setKnown] = useState(typed);
  // After a reload only the server knows the address.
  useEffect(() => {
    if (typed !== undefined) return undefined;
    const left = new AbortController();
    api.information({}, { signal: left.signal, token }).then(
      (answer) => answer.ok && setKnown(answer.data.data.email),
      (error: unknown) => {
        if (!left.signal.aborted) reportError(error);
      },
    );
    return () => left.abort();
  }, [typed, token]);
  const change = () => {
    signOut();
    openAuth("register", { email: known ?? "" });
  };
  return (
    <div className={styles.text}>
      <p>{t("auth.activate.text")}</p>
      <p className={styles.row}>
        {known !== undefined && (
          <strong>
            <Exact>{known}</Exact>
          </strong>
        )}
        <button type="button" className={styles.link} onClick={change}>
          {t("auth.activate.change")}
        </button>
      </p>
    </div>
  );
}

/** The address is registered and the visitor has no session, so no account can take the code. */
function AlreadyRegistered() {
  const t = useText();
  return (
    <Notice tone="warn">
      {t("auth.activate.known")}{" "}
      <button type="button" className={styles.link} onClick={() => openAuth("login")}>
        {t("auth.login")}
      </button>
    </Notice>
  );
}

function ResendActivation() {
  const t = useText();
  const [until, setUntil] = useStored(stored.activationResendTime);
  const [busy, whileBusy] = useBusy();
  const resend = async () => {
    const answer = await whileBusy(() => api.sendNewCode({}));
    const seconds = answer.ok ? codeResendSeconds : waitSeconds(answer.value);
    setUntil(seconds === undefined ? 0 : serverNow() + seconds * 1000);
    if (answer.ok) return toast("good", t("auth.done.code"));
    const error = resendError(answer.value, answer.more.retry_after);
    toast("bad", t(error.key, error.holes));
  };
  return <ResendButton until={until} busy={busy} onResend={() => void resend()} />;
}
