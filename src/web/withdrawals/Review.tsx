import { exactPrice, isolated } from "../format.ts";
import { useAccountText, useLanguage } from "../language.tsx";
import { coinText } from "../payments/CoinAmount.tsx";
import { Exact } from "../ui/display/Exact.tsx";
import { Notice } from "../ui/feedback/Notice.tsx";
import { coinsFor, currencyOf, type Draft, type Terms } from "./withdrawals.ts";
import styles from "./Withdrawals.module.css";

/** What will be asked for, to be read once more. */
export function Review({ draft: { way, amount, wallet, address }, terms }: { draft: Draft; terms: Terms }) {
  const t = useAccountText();
  const language = useLanguage();
  const rate = terms.wallets.find(({ id }) => id === wallet)?.rate ?? "1";
  const about = coinText(language, coinsFor(amount, rate), wallet);
  const network = currencyOf(wallet)?.network ?? wallet;
  return (
    <>
      <dl className={styles.facts}>
        <dt>{t("withdrawal.from")}</dt>
        <dd>{t(`statement.book.${way}`)}</dd>
        <dt>{t("withdrawal.amount")}</dt>
        <dd>
          <Exact>{exactPrice(language, amount)}</Exact>
        </dd>
        <dt>{t("withdrawal.coins")}</dt>
        <dd translate="no">{t("withdrawal.about", { coins: isolated(about) })}</dd>
        <dt>{t("withdrawal.network")}</dt>
        <dd>
          <Exact>{network}</Exact>
        </dd>
        <dt>{t("withdrawal.address")}</dt>
        <dd>
          <Exact dir="ltr" className={styles.address}>
            {address.trim()}
          </Exact>
        </dd>
      </dl>
      <Notice tone="warn">{t("withdrawal.note")}</Notice>
    </>
  );
}
