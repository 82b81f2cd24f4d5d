import { useDocsText } from "../language.tsx";
import styles from "./Docs.module.css";
import { useDocsSession } from "./docsSession.tsx";

/** Samples show a placeholder until the reader chooses the real token, so that a copied sample does not leak it. */
export function TokenSwitch() {
  const t = useDocsText();
  const { isSignedIn, isInSamples, showInSamples } = useDocsSession();
  return (
    <label className={styles.switch}>
      <input
        type="checkbox"
        checked={isSignedIn && isInSamples}
        disabled={!isSignedIn}
        aria-describedby="docs-token-hint"
        onChange={(event) => showInSamples(event.target.checked)}
      />
      <span>{t("docs.token.samples")}</span>
      <span id="docs-token-hint" className={styles.hint}>
        {t(isSignedIn ? "docs.token.samples.hint" : "docs.token.samples.signedOut")}
      </span>
    </label>
  );
}
