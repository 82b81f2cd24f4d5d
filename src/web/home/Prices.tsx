import { price } from "../format.ts";
import { useLanguage, useText } from "../language.tsx";
import { useServerData } from "../serverData.tsx";
import styles from "./Prices.module.css";
import { Exact } from "../ui/display/Exact.tsx";

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
              <Exact className={styles.name}>{domain.name}</Exact>
              <Exact className={styles.price}>{price(language, domain.price)}</Exact>
            </li>
          ))}
        </ul>
        {more > 0 && <p className={styles.more}>{t("home.prices.more", { count: more })}</p>}
      </div>
    </section>
  );
}
