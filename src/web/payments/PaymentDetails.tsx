import { Timer } from "lucide-react";
import { useState } from "react";
import type * as z from "zod/mini";
import { currencies } from "../../contract/currencies.ts";
import type { PaymentState } from "../../contract/payments.ts";
import { api, type Refused } from "../api.ts";
import { useAccount } from "../dashboard/account.ts";
import { balance } from "../format.ts";
import { useAppText, useLanguage } from "../language.tsx";
import { refusalText } from "../refusalText.ts";
import { Button } from "../ui/Button.tsx";
import { CopyButton } from "../ui/CopyButton.tsx";
import { Countdown } from "../ui/Countdown.tsx";
import { Notice } from "../ui/Notice.tsx";
import { Qr } from "../ui/Qr.tsx";
import { CoinMark } from "./CoinMark.tsx";
import styles from "./PaymentDetails.module.css";
import { clock, isSome } from "./paymentView.ts";

type Shown = z.output<typeof PaymentState>;

interface DetailsProps {
  payment: Shown;
  reload: () => void;
}

/** What to send, where to, and until when (spec B §2 "Payment page"). */
export function PaymentDetails({ payment, reload }: DetailsProps) {
  const t = useAppText();
  const language = useLanguage();
  const coin = currencies.find((known) => known.id === payment.currency)?.coin ?? payment.currency_name;
  return (
    <div className={styles.details}>
      <div className={styles.amount}>
        <CoinMark coin={coin} size={40} />
        <div className={styles.sum}>
          <p className={styles.label}>{t("pay.amount")}</p>
          <p className={styles.exact}>
            <bdi dir="ltr">
              {payment.currency_amount} {coin}
            </bdi>
          </p>
          <p className={styles.label}>
            <bdi>{balance(language, payment.amount)}</bdi>
          </p>
        </div>
        <CopyButton text={payment.currency_amount} label={t("pay.copyAmount")} />
      </div>
      {isSome(payment.received) && <Received payment={payment} coin={coin} />}
      <div className={styles.wallet}>
        <Qr text={payment.wallet} label={t("pay.qr")} />
        <div className={styles.address}>
          <p className={styles.label}>{t("pay.wallet")}</p>
          <code dir="ltr" className={styles.code}>
            {payment.wallet}
          </code>
          <span>
            <CopyButton words text={payment.wallet} label={t("pay.copyWallet")} milliseconds={2000} />
          </span>
        </div>
      </div>
      {payment.sandbox && <Sandbox id={payment.id} reload={reload} />}
      <Facts payment={payment} />
      <p className={styles.expiry}>
        <Timer aria-hidden size={16} />
        {t("pay.expires")}{" "}
        <Countdown until={payment.expires_at * 1000}>{(seconds) => <bdi>{clock(seconds)}</bdi>}</Countdown>
      </p>
      <ul className={styles.notices}>
        <li>{t("pay.notice.exact")}</li>
        <li>{t("pay.notice.network", { network: payment.network })}</li>
        <li>{t("pay.notice.auto")}</li>
      </ul>
    </div>
  );
}

function Received({ payment, coin }: { payment: Shown; coin: string }) {
  const t = useAppText();
  return (
    <Notice tone="warn" title={t("pay.partly")}>
      {t("pay.received")}{" "}
      <bdi dir="ltr">
        {payment.received} {coin}
      </bdi>
      <br />
      {t("pay.missing")}{" "}
      <bdi dir="ltr" className={styles.strong}>
        {payment.missing} {coin}
      </bdi>
    </Notice>
  );
}

function Facts({ payment }: { payment: Shown }) {
  const t = useAppText();
  return (
    <dl className={styles.facts}>
      <dt>{t("pay.currency")}</dt>
      <dd>
        <bdi>{payment.currency_name}</bdi>
      </dd>
      <dt>{t("pay.network")}</dt>
      <dd>
        <bdi>{payment.network}</bdi>
      </dd>
      <dt>{t("pay.id")}</dt>
      <dd>
        <bdi>{payment.id}</bdi>
      </dd>
    </dl>
  );
}

/** In the demo nobody pays: says how to play the payer, and lets an administrator do it here. */
function Sandbox({ id, reload }: { id: string; reload: () => void }) {
  const t = useAppText();
  const account = useAccount();
  const [isBusy, setBusy] = useState(false);
  const [refused, setRefused] = useState<Refused<string>>();
  const command = `npm run shop -- payments confirm ${id}`;
  const play = async () => {
    setBusy(true);
    const answer = await api.confirmPayment({ id });
    setBusy(false);
    setRefused(answer.ok ? undefined : answer);
    reload();
  };
  return (
    <Notice tone="info" title={t("pay.sandbox")}>
      <p>{t("pay.sandbox.text")}</p>
      <div className={styles.command}>
        <code dir="ltr">{command}</code>
        <CopyButton text={command} label={t("pay.sandbox.copy")} />
      </div>
      {account.data?.is_admin && (
        <Button size="small" busy={isBusy} onClick={() => void play()}>
          {t("pay.sandbox.play")}
        </Button>
      )}
      {refused && (
        <p role="alert" className={styles.refused}>
          {refusalText(t, refused)}
        </p>
      )}
    </Notice>
  );
}
