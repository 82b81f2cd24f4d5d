import { price } from "../format.ts";
import { useLanguage, useText } from "../language.tsx";
import { useServerData } from "../serverData.tsx";
import styles from "./Prices.module.css";

const shownMax = 8;

export function Prices() {
  const t = useText();
  const language = useLanguage();
  const { domains } = useServerData();
  if (domains.length === 0) return null;
  const more = domains.length - shownMax;
  return (
    <section aria-labelledby="prices" className={styles.prices}>
      <div className={styles.words}>
        <h2 id="prices">{t("home.prices")}</h2>
        <p className={styles.text}>{t("home.prices.text")}</p>
      </div>
      <div className={styles.board}>
        <ul className={styles.list}>
          {domains.slice(0, shownMax).map((domain) => (
            <li key={domain.name} className={styles.row}>
              <bdi className={styles.name}>{domain.name}</bdi>
              <bdi className={styles.price}>{price(language, domain.price)}</bdi>
            </li>
          ))}
        </ul>
        {more > 0 && <p className={styles.more}>{t("home.prices.more", { count: more })}</p>}
      </div>
    </section>
  );
}
