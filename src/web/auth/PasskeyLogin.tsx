import { Fingerprint } from "lucide-react";
import { useState } from "react";
import { api } from "../api.ts";
import { useText } from "../language.tsx";
import { answerByPasskey, hasPasskeys } from "../security/passkeys.ts";
import { signIn } from "../session.ts";
import { Button } from "../ui/button/Button.tsx";
import { Notice } from "../ui/feedback/Notice.tsx";
import { useBusy } from "../useBusy.ts";
import { type FieldError, refusalError } from "./fieldErrors.ts";
import styles from "./forms.module.css";
import { useAfterSignIn } from "./useAfterSignIn.ts";

/** Signs in without a password. */
export function PasskeyLogin() {
  const t = useText();
  const enter = useAfterSignIn();
  const [isBusy, whileBusy] = useBusy();
  const [error, setError] = useState<FieldError>();
  if (!hasPasskeys()) return null;
  const send = async (): Promise<FieldError | undefined> => {
    const asked = await api.askPasskey({});
    if (!asked.ok) return refusalError("factor", asked.value, asked.more.retry_after);
    const passkey = await answerByPasskey(asked.data.options);
    if (passkey === undefined) return { key: "auth.error.passkey" };
    const answer = await api.authorizeFactor({ passkey });
    if (!answer.ok) return refusalError("factor", answer.value, answer.more.retry_after);
    signIn(answer.data.data.token);
    enter();
    return undefined;
  };
  return (
    <div className={styles.passkey}>
      <Button
        tone="secondary"
        size="large"
        wide
        busy={isBusy}
        icon={<Fingerprint aria-hidden size={18} />}
        onClick={() => void whileBusy(send).then(setError)}
      >
        {t("auth.passkey.do")}
      </Button>
      {error && <Notice tone="bad">{t(error.key, error.holes)}</Notice>}
    </div>
  );
}
