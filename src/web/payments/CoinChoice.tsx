import type { CurrencyId } from "../../contract/currencies.ts";
import { topUpMinDollars } from "../../contract/limits.ts";
import type { Language } from "../../i18n/languages.ts";
import { exactPrice, isolated, roughPrice } from "../format.ts";
import { useAppText, useLanguage } from "../language.tsx";
import { classNames } from "../ui/layout/classNames.ts";
import styles from "./CoinChoice.module.css";
import { CoinIcon } from "./CoinIcon.tsx";
import { waitText } from "./paymentState.ts";
import { cheapestOf, coinsOf, secondsFor, type TopUpCoin, type TopUpCurrency } from "./topUpCurrencies.ts";
import { Exact } from "../ui/display/Exact.tsx";

interface CoinChoiceProps {
  offered: readonly TopUpCurrency[];
  meant: TopUpCurrency | undefined;
  /** In dollars; a large one takes longer. */
  amount: number;
  onChange: (id: CurrencyId) => void;
}

/** First the coin, then its network: both name one of the nine currencies (spec B §2). */
export function CoinChoice({ offered, meant, amount, onChange }: CoinChoiceProps) {
  const t = useAppText();
  const coins = coinsOf(offered);
  const chosen = coins.find(({ coin }) => coin === meant?.currency.coin) ?? coins[0];
  return (
    <>
      <fieldset className={styles.part}>
        <legend className={styles.legend}>{t("topup.currency")}</legend>
        <div className={styles.coins}>
          {coins.map((one) => (
            <CoinTile key={one.coin} coin={one} isMeant={one === chosen && !!meant} onChange={onChange} />
          ))}
        </div>
      </fieldset>
      {chosen && (
        <fieldset className={styles.part}>
          <legend className={styles.legend}>{t("pay.network")}</legend>
          <div className={styles.networks}>
            {chosen.networks.map((one) => (
              <NetworkRow
                key={one.currency.id}
                offered={one}
                amount={amount}
                isMeant={one === meant}
                isCheapest={one === cheapestOf(chosen.networks)}
                onChange={onChange}
              />
            ))}
          </div>
        </fieldset>
      )}
    </>
  );
}

export const leastText = (language: Language, min: number) => exactPrice(language, String(min));

const offTexts = { wallet: "topup.off.wallet", "no rate": "topup.off.rate" } as const;

interface TileProps extends Pick<CoinChoiceProps, "onChange"> {
  coin: TopUpCoin;
  isMeant: boolean;
}

function CoinTile({ coin: { coin, networks }, isMeant, onChange }: TileProps) {
  const t = useAppText();
  const [first, ...others] = networks;
  // BNB is listed by its network.
  const name = others.length > 0 || first.currency.id === "bep20" ? coin : first.currency.name;
  return (
    <label className={classNames(styles.coin, first.off !== undefined && styles.off)}>
      <input
        type="radio"
        name="coin"
        className={styles.hidden}
        checked={isMeant}
        disabled={first.off !== undefined}
        onChange={() => onChange(first.currency.id)}
      />
      <CoinIcon coin={coin} size={26} />
      <span className={styles.names}>
        <Exact className={styles.name}>{name}</Exact>
        {first.off !== undefined ? (
          <span className={styles.note}>{t(offTexts[first.off])}</span>
        ) : (
          name !== coin && <Exact className={styles.note}>{coin}</Exact>
        )}
      </span>
    </label>
  );
}

interface RowProps extends Pick<CoinChoiceProps, "amount" | "onChange"> {
  offered: TopUpCurrency;
  isMeant: boolean;
  isCheapest: boolean;
}

function NetworkRow({ offered, amount, isMeant, isCheapest, onChange }: RowProps) {
  const t = useAppText();
  const language = useLanguage();
  const { currency, off, min } = offered;
  const cost = useCost(offered, amount);
  return (
    <label className={classNames(styles.row, off !== undefined && styles.off)}>
      <input
        type="radio"
        name="network"
        className={styles.radio}
        checked={isMeant}
        disabled={off !== undefined}
        onChange={() => onChange(currency.id)}
      />
      <span className={styles.names}>
        <Exact className={styles.name}>{currency.name}</Exact>
        <span className={styles.note}>
          {currency.id === "ton" ? <span>{t("topup.gram")}</span> : <Exact>{currency.network}</Exact>}
          {cost !== "" && <span translate="no">{` · ${cost}`}</span>}
          {isCheapest && <span>{` · ${t("topup.cheapest")}`}</span>}
        </span>
        {off !== undefined && <span className={styles.note}>{t(offTexts[off])}</span>}
      </span>
      {off === undefined && min > topUpMinDollars && (
        <span className={styles.note}>{t("topup.from", { amount: leastText(language, min) })}</span>
      )}
    </label>
  );
}

const leastFee = 0.01;

/** "fee about $3 · 3 min", as far as known. */
function useCost(offered: TopUpCurrency, dollars: number): string {
  const t = useAppText();
  const language = useLanguage();
  const { off, fee } = offered;
  if (off !== undefined) return "";
  const parts: string[] = [];
  if (fee !== undefined) {
    const isTiny = fee < leastFee;
    const amount = isolated(roughPrice(language, isTiny ? leastFee : fee));
    parts.push(t(isTiny ? "topup.fee.under" : "topup.fee", { amount }));
  }
  const seconds = secondsFor(offered, dollars);
  if (seconds !== undefined) parts.push(waitText(language, seconds));
  return parts.join(" · ");
}
