import { codeLifeSeconds, codeResendSeconds, quantityMax, topUpMinDollars } from "../../contract/limits.ts";
import { wholeDollars } from "../format.ts";
import { useAccountText, useLanguage } from "../language.tsx";
import { useServerData } from "../serverData.tsx";
import { LinkButton } from "../ui/button/Button.tsx";
import { Card } from "../ui/layout/Card.tsx";
import styles from "./Help.module.css";

const parts = {
  letter: ["address", "site", "why", "domain"],
  refunds: ["back", "received", "statement"],
  network: ["wrong", "little", "late"],
  limits: ["topup", "order", "code", "often"],
} as const;

export function Help() {
  const t = useAccountText();
  const language = useLanguage();
  const { supportUrl } = useServerData();
  const holes = {
    amount: wholeDollars(language, String(topUpMinDollars)),
    count: quantityMax,
    minutes: codeLifeSeconds / 60,
    seconds: codeResendSeconds,
  };
  return (
    <div className={styles.page}>
      <header>
        <h1 className={styles.title}>{t("help.title")}</h1>
        <p className={styles.lead}>{t("help.lead")}</p>
      </header>
      {(["letter", "refunds", "network", "limits"] as const).map((part) => (
        <Card key={part} aria-labelledby={`help-${part}`}>
          <h2 id={`help-${part}`} className={styles.heading}>
            {t(`help.${part}`)}
          </h2>
          <ul className={styles.list}>
            {parts[part].map((one) => (
              <li key={one}>
                {t(`help.${part}.${one}` as `help.letter.${(typeof parts)["letter"][number]}`, holes)}
              </li>
            ))}
          </ul>
        </Card>
      ))}
      {supportUrl !== undefined && (
        <p className={styles.more}>
          {t("help.more")}{" "}
          <LinkButton outside tone="secondary" size="small" href={supportUrl}>
            {t("pay.support")}
          </LinkButton>
        </p>
      )}
    </div>
  );
}
