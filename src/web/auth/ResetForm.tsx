import { useState } from "react";
import { openAuth, useAuthRequest } from "./authDialog.ts";
import styles from "./forms.module.css";
import { ResetConfirm } from "./ResetConfirm.tsx";
import { ResetRequest } from "./ResetRequest.tsx";
import { useText } from "../language.tsx";

/** A password reset in two steps: request a code, then use it (spec B §2). */
export function ResetForm() {
  const t = useText();
  const asked = useAuthRequest();
  const [email, setEmail] = useState(asked?.email ?? "");
  // The link of a mail brings the code along.
  const [resendAt, setResendAt] = useState(asked?.link?.mode === "reset" ? 0 : undefined);
  return (
    <>
      {resendAt === undefined ? (
        <ResetRequest email={email} onEmail={setEmail} onSent={setResendAt} />
      ) : (
        <ResetConfirm
          email={email}
          resendAt={resendAt}
          onResent={setResendAt}
          onRestart={() => setResendAt(undefined)}
        />
      )}
      <p className={styles.switch}>
        <button type="button" className={styles.link} onClick={() => openAuth("login", { email })}>
          {t("auth.reset.back")}
        </button>
        {" · "}
        <button type="button" className={styles.link} onClick={() => openAuth("register", { email })}>
          {t("auth.register")}
        </button>
      </p>
    </>
  );
}
