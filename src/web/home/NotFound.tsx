import { DoorClosed } from "lucide-react";
import { useLocation } from "wouter";
import { useLanguage, useText } from "../language.tsx";
import { paths } from "../paths.ts";
import { LinkButton } from "../ui/button/Button.tsx";
import styles from "./NotFound.module.css";

/** "Route not found", with the path (spec B §2). */
export function NotFound() {
  const t = useText();
  const language = useLanguage();
  const [pathname] = useLocation();
  return (
    <div className={styles.missing}>
      <DoorClosed aria-hidden size={44} strokeWidth={1.4} className={styles.icon} />
      <h1>{t("missing.title")}</h1>
      <p className={styles.text}>
        {t("missing.text")} <code dir="ltr">{decoded(pathname)}</code>
      </p>
      <LinkButton href={paths.home(language)}>{t("missing.home")}</LinkButton>
    </div>
  );
}

/** Decodes the path; an address with broken escapes stays as it is. */
function decoded(pathname: string): string {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return pathname;
  }
}
