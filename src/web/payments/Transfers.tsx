import { CircleCheck, CircleX, Clock } from "lucide-react";
import type { AppKey } from "../../i18n/t.ts";
import { moment } from "../format.ts";
import { useAppText } from "../language.tsx";
import { classNames } from "../ui/layout/classNames.ts";
import { CopyButton } from "../ui/button/CopyButton.tsx";
import { ProgressBar } from "../ui/feedback/ProgressBar.tsx";
import { CoinAmount } from "./CoinAmount.tsx";
import type { Payment } from "./usePayment.ts";
import { shortId } from "./paymentState.ts";
import styles from "./Transfers.module.css";
import { Exact } from "../ui/display/Exact.tsx";

type Transfer = Payment["transfers"][number];

const faces = {
  seen: { Icon: Clock, tone: undefined, text: "pay.transfer.seen" },
  confirmed: { Icon: CircleCheck, tone: "good", text: "pay.transfer.confirmed" },
  credited: { Icon: CircleCheck, tone: "good", text: "pay.transfer.credited" },
  gone: { Icon: CircleX, tone: "bad", text: "pay.transfer.gone" },
} as const satisfies Record<Transfer["status"], { Icon: unknown; tone: unknown; text: AppKey }>;

export function Transfers({ transfers }: { transfers: readonly Transfer[] }) {
  const t = useAppText();
  return (
    <section aria-labelledby="seen-title" className={styles.seen}>
      <h2 id="seen-title" className={styles.title}>
        {t("pay.seen")}
      </h2>
      <ul className={styles.list}>
        {transfers.map((transfer, at) => (
          // One transaction may pay twice; only the position tells them apart.
          <Item key={`${transfer.txid} ${at}`} transfer={transfer} />
        ))}
      </ul>
    </section>
  );
}

function Item({ transfer }: { transfer: Transfer }) {
  const t = useAppText();
  const { amount, currency, status, txid, at } = transfer;
  const { Icon, tone, text } = faces[status];
  return (
    <li className={styles.item}>
      <Icon aria-hidden size={18} className={classNames(styles.icon, tone && styles[tone])} />
      <div className={styles.words}>
        <p className={classNames(styles.amount, status === "gone" && styles.gone)}>
          <CoinAmount amount={amount} currency={currency} />
        </p>
        <p className={styles.note}>{t(text)}</p>
        <Confirmations transfer={transfer} />
        <p className={classNames(styles.note, styles.when)}>
          <time dateTime={new Date(at * 1000).toISOString()}>
            <Exact>{moment(at, "seconds")}</Exact>
          </time>
          <span>
            {t("pay.transfer.id")}{" "}
            <code dir="ltr" translate="no" title={txid}>
              <span className={styles.short}>{shortId(txid)}</span>
              <span className={styles.whole}>{txid}</span>
            </code>
          </span>
        </p>
      </div>
      <CopyButton text={txid} label={t("pay.transfer.copy")} />
    </li>
  );
}

function Confirmations({ transfer }: { transfer: Transfer }) {
  const t = useAppText();
  const { status, confirmations: now, confirmations_wanted: wanted } = transfer;
  if (status !== "seen" || now === undefined || wanted === undefined || wanted === 0) return null;
  return <ProgressBar label={t("pay.transfer.depth", { now, wanted })} done={now} all={wanted} />;
}
