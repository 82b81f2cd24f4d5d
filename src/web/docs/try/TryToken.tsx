import { openAuth } from "../../auth/authDialog.ts";
import { isolated } from "../../format.ts";
import { useDocsText } from "../../language.tsx";
import { Button } from "../../ui/button/Button.tsx";
import { PasswordInput } from "../../ui/form/Input.tsx";
import { useDocsSession } from "../docsSession.tsx";
import styles from "./TryIt.module.css";

export function TryToken() {
  const t = useDocsText();
  const { token, isSignedIn, typeToken } = useDocsSession();
  if (isSignedIn) {
    const masked = isolated(`${"•".repeat(8)}${token.slice(-4)}`);
    return <p className={styles.note}>{t("docs.try.session", { token: masked })}</p>;
  }
  return (
    <PasswordInput
      label={t("docs.try.token")}
      hint={t("docs.try.token.hint")}
      showLabel={t("auth.token.show")}
      hideLabel={t("auth.token.hide")}
      autoComplete="off"
      value={token}
      onChange={(event) => typeToken(event.target.value.trim())}
      aside={
        <Button tone="ghost" size="small" onClick={() => openAuth("login")}>
          {t("nav.login")}
        </Button>
      }
    />
  );
}
