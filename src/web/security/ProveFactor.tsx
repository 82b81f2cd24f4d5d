import { useEffect, useRef, useState } from "react";
import { recoveryCodeLetters } from "../../contract/limits.ts";
import type { PublicKey } from "../../i18n/t.ts";
import { focusFirstField } from "../auth/focusFirstField.ts";
import styles from "../auth/forms.module.css";
import { SubmitButton } from "../auth/SubmitButton.tsx";
import { type FieldErrors, useForm } from "../auth/useForm.ts";
import type { FieldError } from "../auth/fieldErrors.ts";
import { useText } from "../language.tsx";
import { CodeBoxes } from "../ui/form/CodeBoxes.tsx";
import { TextField, verbatim } from "../ui/form/Input.tsx";
import { answerByPasskey, type FactorKind, hasPasskeys, type Options, type Ways } from "./passkeys.ts";

interface ProveFactorProps {
  ways: Ways;
  /** Sends it. Answers what is wrong with it. */
  onGiven: (given: { code?: string; passkey?: string }) => Promise<FieldError | undefined>;
}

const order = ["passkey", "app", "recovery"] as const satisfies readonly FactorKind[];
const others: Record<FactorKind, PublicKey> = {
  passkey: "auth.factor.other.passkey",
  app: "auth.factor.other.app",
  recovery: "auth.factor.other.recovery",
};

/** Asks for a second factor: the passkey if there is one, else a code, and the others by a press. */
export function ProveFactor({ ways, onGiven }: ProveFactorProps) {
  const t = useText();
  const kinds = order.filter((kind) => ways.kinds.includes(kind) && (kind !== "passkey" || hasPasskeys()));
  const [kind, choose] = useState<FactorKind>(kinds[0] ?? "recovery");
  return (
    <div className={styles.form}>
      {kind === "passkey" ? (
        <ByPasskey options={(ways.passkey ?? {}) as Options} onGiven={onGiven} />
      ) : (
        <ByCode key={kind} kind={kind} onGiven={onGiven} />
      )}
      <div className={styles.choices}>
        {kinds
          .filter((other) => other !== kind)
          .map((other) => (
            <button key={other} type="button" className={styles.link} onClick={() => choose(other)}>
              {t(others[other])}
            </button>
          ))}
      </div>
    </div>
  );
}

function ByPasskey({ options, onGiven }: { options: Options } & Pick<ProveFactorProps, "onGiven">) {
  const t = useText();
  const send = async (): Promise<FieldErrors<never> | undefined> => {
    const passkey = await answerByPasskey(options);
    const wrong =
      passkey === undefined ? ({ key: "auth.error.passkey" } as const) : await onGiven({ passkey });
    return wrong && { form: wrong };
  };
  const form = useForm<never>(() => ({}), send);
  return (
    <form noValidate className={styles.form} onSubmit={form.onSubmit}>
      <p className={styles.text}>{t("auth.factor.passkey.text")}</p>
      <SubmitButton form={form}>{t("auth.factor.passkey.do")}</SubmitButton>
    </form>
  );
}

const digits = 6;

function ByCode({ kind, onGiven }: { kind: "app" | "recovery" } & Pick<ProveFactorProps, "onGiven">) {
  const t = useText();
  const element = useRef<HTMLFormElement>(null);
  const [code, setCode] = useState("");
  const least = kind === "app" ? digits : recoveryCodeLetters;
  const isWhole = code.replaceAll(/[\s-]/g, "").length >= least;
  const send = async (): Promise<FieldErrors<"code"> | undefined> => {
    const wrong = await onGiven({ code });
    if (wrong && kind === "app") {
      setCode("");
      focusFirstField(element.current);
    }
    return wrong && { code: wrong };
  };
  const form = useForm<"code">(() => (isWhole ? {} : { code: { key: "auth.error.factorCode" } }), send);
  useEffect(() => focusFirstField(element.current), []);
  const isReady = kind === "app" && isWhole;
  // Six digits are sent at once.
  useEffect(() => {
    if (isReady) element.current?.requestSubmit();
  }, [isReady, code]);
  return (
    <form ref={element} noValidate className={styles.form} onSubmit={form.onSubmit}>
      {kind === "app" ? (
        <CodeBoxes
          label={t("auth.factor.app")}
          autoFocus
          value={code}
          error={form.error("code")}
          onChange={form.onTyped("code", setCode)}
        />
      ) : (
        <TextField
          label={t("auth.factor.recovery")}
          hint={t("auth.factor.recovery.hint")}
          name="code"
          {...verbatim}
          code
          data-autofocus
          value={code}
          error={form.error("code")}
          onChange={({ target }) => form.onTyped("code", setCode)(target.value)}
        />
      )}
      <SubmitButton form={form}>{t("auth.factor.do")}</SubmitButton>
    </form>
  );
}
