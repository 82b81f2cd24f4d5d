import { useEffect, useRef, useState } from "react";
import { type Answer, api } from "../api.ts";
import { useText } from "../language.tsx";
import type { ProofRequest } from "./proof.ts";
import { Button } from "../ui/button/Button.tsx";
import { Dialog } from "../ui/dialog/Dialog.tsx";
import { ProveFactor } from "../security/ProveFactor.tsx";
import { Spinner } from "../ui/feedback/Spinner.tsx";
import { PasswordInput } from "../ui/form/Input.tsx";
import { openAuth } from "./authDialog.ts";
import {
  type FieldError,
  passwordErrorWhileTyping,
  refusalError,
  requiredPasswordError,
} from "./fieldErrors.ts";
import { focusFirstField } from "./focusFirstField.ts";
import { SubmitButton } from "./SubmitButton.tsx";
import { type FieldErrors, useForm } from "./useForm.ts";
import styles from "./forms.module.css";

/** Asks the person to prove who it is, over whatever dialog sent the call; closing it gives the call up. */
export function ProofDialog({ request: { lacking, settle } }: { request: ProofRequest }) {
  const t = useText();
  return (
    <Dialog title={t(`proof.${lacking}.title`)} onClose={() => settle(false)}>
      {lacking === "proof" ? <Prove settle={settle} /> : <ToSignIn settle={settle} />}
    </Dialog>
  );
}

type Settling = Pick<ProofRequest, "settle">;

/** By a factor where the account has one, else by the password. */
function Prove({ settle }: Settling) {
  const t = useText();
  const [ways, setWays] = useState<Answer<"proof">>();
  useEffect(() => {
    const left = new AbortController();
    api.proof({}, { signal: left.signal }).then(setWays, (fault: unknown) => {
      if (!left.signal.aborted) reportError(fault);
    });
    return () => left.abort();
  }, []);
  if (!ways) return <Spinner label={t("ui.loading")} />;
  if (!ways.ok || ways.data.ways.includes("password")) return <ByPassword settle={settle} />;
  const { ways: kinds, passkey } = ways.data;
  const send = async (given: { code?: string; passkey?: string }): Promise<FieldError | undefined> => {
    const answer = await api.prove(given);
    if (!answer.ok) return refusalError("factor", answer.value, answer.more.retry_after);
    settle(true);
    return undefined;
  };
  const factors = kinds.filter((kind) => kind !== "password");
  return (
    <>
      <p className={styles.text}>{t("proof.factor.text")}</p>
      <ProveFactor ways={{ ticket: "", kinds: factors, ...(passkey && { passkey }) }} onGiven={send} />
    </>
  );
}

function ByPassword({ settle }: Settling) {
  const t = useText();
  const element = useRef<HTMLFormElement>(null);
  const [password, setPassword] = useState("");
  // The dialog is open before it is known what to ask for.
  useEffect(() => focusFirstField(element.current), []);
  const check = (): FieldErrors<"password"> => {
    const wrong = requiredPasswordError(password);
    return { ...(wrong && { password: { key: wrong } }) };
  };
  const send = async (): Promise<FieldErrors<"password"> | undefined> => {
    const answer = await api.prove({ password });
    if (!answer.ok) return { form: refusalError("login", answer.value, answer.more.retry_after) };
    settle(true);
    return undefined;
  };
  const form = useForm<"password">(check, send);
  const live = passwordErrorWhileTyping(password);
  return (
    <form ref={element} noValidate className={styles.form} onSubmit={form.onSubmit}>
      <p className={styles.text}>{t("proof.text")}</p>
      <PasswordInput
        label={t("auth.password")}
        name="password"
        autoComplete="current-password"
        data-autofocus
        error={live ? t(live) : form.error("password")}
        onChange={({ target }) => form.onTyped("password", setPassword)(target.value)}
      />
      <SubmitButton form={form}>{t("proof.do")}</SubmitButton>
    </form>
  );
}

function ToSignIn({ settle }: Settling) {
  const t = useText();
  const signIn = () => {
    settle(false);
    openAuth("login", { to: location.pathname + location.search });
  };
  return (
    <div className={styles.form}>
      <p className={styles.text}>{t("proof.session.text")}</p>
      <Button size="large" wide data-autofocus onClick={signIn}>
        {t("auth.login.do")}
      </Button>
    </div>
  );
}
