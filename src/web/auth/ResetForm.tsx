import { useState } from "react";
import { codeResendSeconds } from "../../contract/limits.ts";
import type { MailLink } from "../../contract/mail/mail-link.ts";
import { openAuth, useAuthRequest } from "./authDialog.ts";
import styles from "./forms.module.css";
import { ResetConfirm } from "./ResetConfirm.tsx";
import { ResetRequest } from "./ResetRequest.tsx";
import { useText } from "../language.tsx";
import { serverNow } from "../ui/display/clock.ts";

/** The link of a mail brings the code along; "this was not me" has just mailed one. Undefined: it is to be asked for. */
function codeMailed(link: MailLink | undefined): number | undefined {
  if (link?.mode === "disown") return serverNow() + codeResendSeconds * 1000;
  return link?.mode === "reset" ? 0 : undefined;
}

/** A password reset in two steps: request a code, then use it (spec B §2). */
export function ResetForm() {
  const t = useText();
  const asked = useAuthRequest();
  const [email, setEmail] = useState(asked?.email ?? "");
  const [resendAt, setResendAt] = useState(() => codeMailed(asked?.link));
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
