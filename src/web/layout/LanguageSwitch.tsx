import { Languages } from "lucide-react";
import { useLocation, useSearch } from "wouter";
import { isLanguage, languageCodes, languages } from "../../i18n/languages.ts";
import { useLanguage, useText } from "../language.tsx";
import { inLanguage } from "../paths.ts";
import styles from "./LanguageSwitch.module.css";

/** Replaces the first segment of the address; the page follows the address (spec B §2). */
export function LanguageSwitch() {
  const t = useText();
  const language = useLanguage();
  const [pathname, navigate] = useLocation();
  const search = useSearch();
  return (
    <span className={styles.switch}>
      <Languages aria-hidden size={18} className={styles.icon} />
      <span aria-hidden className={styles.code}>
        {language}
      </span>
      <select
        className={styles.select}
        aria-label={t("nav.language")}
        title={t("nav.language")}
        value={language}
        onChange={(event) => {
          const chosen = event.target.value;
          if (!isLanguage(chosen)) return;
          navigate(inLanguage(chosen, pathname) + (search && `?${search}`) + location.hash);
        }}
      >
        {languageCodes.map((code) => (
          <option key={code} value={code} lang={code}>
            {languages[code].name}
          </option>
        ))}
      </select>
    </span>
  );
}
