import { useText } from "../language.tsx";
import { useServerData } from "../serverData.tsx";
import styles from "./SampleLetter.module.css";
import { Exact } from "../ui/display/Exact.tsx";

export function SampleLetter() {
  const t = useText();
  const { domains } = useServerData();
  const address = `nora.k@${domains[0]?.name ?? "letters.test"}`;
  return (
    <div role="img" aria-label={t("home.sample")} className={styles.letter}>
      <span className={styles.stamp} dir="ltr">
        @
      </span>
      <span className={styles.lines}>
        <Exact className={styles.address}>{address}</Exact>
        <span className={styles.what}>instagram.com · {t("home.sample.now")}</span>
      </span>
      <span className={styles.code}>
        <span className={styles.what}>{t("home.sample.code")}</span>
        <span dir="ltr" className={styles.digits}>
          482 910
        </span>
      </span>
    </div>
  );
}
