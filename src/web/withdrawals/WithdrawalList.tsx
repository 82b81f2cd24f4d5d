import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../api.ts";
import { exactPrice, isolated } from "../format.ts";
import { useAccountText, useLanguage } from "../language.tsx";
import { Moment } from "../Moment.tsx";
import { CoinAmount } from "../payments/CoinAmount.tsx";
import { ConfirmCall } from "../programs/ConfirmCall.tsx";
import { Button } from "../ui/button/Button.tsx";
import { Exact } from "../ui/display/Exact.tsx";
import { Pagination } from "../ui/display/Pagination.tsx";
import { Badge, type Tone } from "../ui/feedback/Badge.tsx";
import { Card } from "../ui/layout/Card.tsx";
import { currencyOf, readAgain, useWithdrawals, type Withdrawal } from "./withdrawals.ts";
import styles from "./Withdrawals.module.css";

const tones: Record<Withdrawal["state"], Tone> = {
  waiting: "accent",
  sent: "accent",
  paid: "good",
  refused: "bad",
  canceled: "plain",
};

/** What was asked for and what became of it; nothing where nothing was asked for. */
export function WithdrawalList() {
  const t = useAccountText();
  const client = useQueryClient();
  const [page, setPage] = useState(1);
  const [canceling, setCanceling] = useState<Withdrawal>();
  const { data } = useWithdrawals(page);
  if (!data || (data.data.length === 0 && page === 1)) return null;
  return (
    <Card flush aria-labelledby="withdrawals">
      <h2 id="withdrawals" className={styles.heading}>
        {t("withdrawal.list")}
      </h2>
      <ul className={styles.list}>
        {data.data.map((one) => (
          <Row key={one.id} withdrawal={one} onCancel={() => setCanceling(one)} />
        ))}
      </ul>
      <Pagination page={page} pages={data.pages} onPage={setPage} />
      {canceling && (
        <Cancel
          withdrawal={canceling}
          onClose={() => setCanceling(undefined)}
          onEnd={() => {
            setCanceling(undefined);
            readAgain(client);
          }}
        />
      )}
    </Card>
  );
}

function Row({ withdrawal, onCancel }: { withdrawal: Withdrawal; onCancel: () => void }) {
  const t = useAccountText();
  const language = useLanguage();
  const { amount, coins, wallet, address, state, way, asked_at: at, reason, transaction } = withdrawal;
  const dollars = exactPrice(language, amount);
  return (
    <li className={styles.row}>
      <div className={styles.what}>
        <p className={styles.sum}>
          <Exact className={styles.dollars}>{dollars}</Exact>
          <span className={styles.soft}>
            <CoinAmount amount={coins} currency={wallet} />
            <span aria-hidden> · </span>
            <Exact>{currencyOf(wallet)?.network ?? wallet}</Exact>
          </span>
          <Badge tone={tones[state]}>{t(`withdrawal.state.${state}`)}</Badge>
        </p>
        <p className={styles.soft}>
          <Exact dir="ltr" className={styles.address}>
            {address}
          </Exact>
        </p>
        <p className={styles.soft}>
          {t(`statement.book.${way}`)}
          <span aria-hidden> · </span>
          <Moment at={at} />
        </p>
        {transaction !== undefined && (
          <p className={styles.soft}>
            {t("withdrawal.transaction")}{" "}
            <Exact dir="ltr" className={styles.address}>
              {transaction}
            </Exact>
          </p>
        )}
        {reason !== undefined && (
          <p className={styles.soft}>{t("withdrawal.reason", { reason: isolated(reason) })}</p>
        )}
      </div>
      {state === "waiting" && (
        <Button
          tone="ghost"
          size="small"
          aria-label={t("withdrawal.cancel.one", { amount: dollars })}
          onClick={onCancel}
        >
          {t("withdrawal.cancel")}
        </Button>
      )}
    </li>
  );
}

interface CancelProps {
  withdrawal: Withdrawal;
  onClose: () => void;
  onEnd: () => void;
}

function Cancel({ withdrawal: { id, amount }, onClose, onEnd }: CancelProps) {
  const t = useAccountText();
  const language = useLanguage();
  return (
    <ConfirmCall
      title={t("withdrawal.cancel.title")}
      action={t("withdrawal.cancel")}
      call={() => api.cancelWithdrawal({ id })}
      done={() => t("withdrawal.canceled")}
      onClose={onClose}
      onEnd={onEnd}
    >
      <p>{t("withdrawal.cancel.text", { amount: isolated(exactPrice(language, amount)) })}</p>
    </ConfirmCall>
  );
}
