import { useState } from "react";
import { useText } from "../language.tsx";
import { stored, useStored } from "../stored.ts";
import { Tabs } from "../ui/layout/Tabs.tsx";
import { openAuth, useAuthRequest } from "./authDialog.ts";
import { focusFirstField } from "./focusFirstField.ts";
import styles from "./forms.module.css";
import { PasskeyLogin } from "./PasskeyLogin.tsx";
import { PasswordLogin } from "./PasswordLogin.tsx";
import { TokenLogin } from "./TokenLogin.tsx";

/** Sign-in by password or by token; remembers the choice (spec B §2). */
export function LoginForm() {
  const t = useText();
  const [method, choose] = useStored(stored.lastLoginMode);
  // Kept here, so that switching the way keeps the typed text.
  const [email, setEmail] = useState(useAuthRequest()?.email ?? "");
  return (
    <div ref={focusFirstField}>
      <Tabs
        label={t("auth.method")}
        look="switch"
        tabs={[
          { id: "password", label: t("auth.method.password") },
          { id: "token", label: t("auth.method.token") },
        ]}
        active={method}
        onSelect={choose}
      >
        {method === "password" ? <PasswordLogin email={email} onEmail={setEmail} /> : <TokenLogin />}
      </Tabs>
      {method === "password" && <PasskeyLogin />}
      <p className={styles.switch}>
        {t("auth.login.none")}{" "}
        <button type="button" className={styles.link} onClick={() => openAuth("register", { email })}>
          {t("auth.register")}
        </button>
      </p>
    </div>
  );
}
