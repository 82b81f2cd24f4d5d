import { dayOf } from "../../format.ts";
import { useAppText } from "../../language.tsx";
import { Button } from "../../ui/button/Button.tsx";
import { Exact } from "../../ui/display/Exact.tsx";
import styles from "./SkipList.module.css";
import { type Skip, useSkipChanges, useSkips } from "./useSkips.ts";

/** The mail domains that orders of the account pass over, each with its end; nothing without any. */
export function SkipList() {
  const t = useAppText();
  const skips = useSkips();
  if (skips.length === 0) return null;
  return (
    <section aria-labelledby="skips-title" className={styles.part}>
      <h3 id="skips-title" className={styles.title}>
        {t("skip.title")}
      </h3>
      <p className={styles.hint}>{t("skip.hint")}</p>
      <ul className={styles.list}>
        {skips.map((skip) => (
          <Line key={`${skip.site} ${skip.domain}`} skip={skip} />
        ))}
      </ul>
    </section>
  );
}

function Line({ skip }: { skip: Skip }) {
  const t = useAppText();
  const { isBusy, remove } = useSkipChanges();
  const { site, domain } = skip;
  return (
    <li className={styles.line}>
      <p className={styles.what}>
        <Exact className={styles.domain}>{domain}</Exact> <span>{t("skip.for", { site })}</span>{" "}
        <span className={styles.end}>{t("skip.until", { day: dayOf(skip.expires_at) })}</span>
      </p>
      <Button
        tone="ghost"
        size="small"
        busy={isBusy}
        aria-label={t("skip.removeOne", { site, domain })}
        onClick={() => void remove({ site, domain })}
      >
        {t("skip.remove")}
      </Button>
    </li>
  );
}
