import { Percent } from "lucide-react";
import { partnerPercent } from "../../contract/limits.ts";
import { balance as money, day } from "../format.ts";
import type { Account } from "../dashboard/account.ts";
import { useAppText, useLanguage } from "../language.tsx";
import { Badge } from "../ui/feedback/Badge.tsx";
import { Card } from "../ui/layout/Card.tsx";
import { CardHeader } from "../ui/layout/CardHeader.tsx";
import { Table } from "../ui/display/Table.tsx";
import { sum } from "./income.ts";
import styles from "./Partner.module.css";
import { Exact } from "../ui/display/Exact.tsx";

interface Row {
  id: "referral" | "soft" | "total";
  earned: string;
  payed: string;
  left: string;
  held: string;
  lastPayment: string | undefined;
}

/** The rate, and earned, paid and open amounts of each way (spec O §2, §3). */
export function Earnings({ account }: { account: Account }) {
  const t = useAppText();
  const language = useLanguage();
  const rows = rowsOf(account);
  const isHeld = rows.some(({ held }) => Number(held) > 0);
  const amount = (header: string, of: (row: Row) => string) => ({
    id: header,
    header,
    align: "end" as const,
    cell: (row: Row) => <Exact>{money(language, of(row))}</Exact>,
  });
  return (
    <Card flush aria-labelledby="earnings-title">
      <CardHeader
        id="earnings-title"
        title={t("partner.earnings.title")}
        text={t("partner.earnings.text", { percent: partnerPercent })}
      >
        <Badge tone="accent" icon={<Percent aria-hidden size={14} />}>
          {t("partner.rate", { percent: partnerPercent })}
        </Badge>
      </CardHeader>
      <Table
        caption={t("partner.earnings.title")}
        rows={rows}
        rowKey={({ id }) => id}
        rowClass={({ id }) => (id === "total" ? styles.total : undefined)}
        columns={[
          {
            id: "way",
            header: t("partner.way"),
            heading: true,
            cell: ({ id }) => t(`partner.way.${id}`),
          },
          amount(t("partner.earned"), ({ earned }) => earned),
          amount(t("partner.paid"), ({ payed }) => payed),
          amount(t("partner.left"), ({ left }) => left),
          ...(isHeld ? [amount(t("partner.held"), ({ held }) => held)] : []),
          {
            id: "last",
            header: t("partner.lastPayment"),
            align: "end",
            cell: ({ lastPayment }) => (lastPayment === undefined ? "—" : <Exact>{day(lastPayment)}</Exact>),
          },
        ]}
      />
      {isHeld && <p className={styles.note}>{t("partner.held.text")}</p>}
    </Card>
  );
}

type Purse = Account["referrals"] | Account["soft"];

const rowOf = (
  id: Row["id"],
  { earned, payed, payed_date: lastPayment, to_withdraw: left, held }: Purse,
): Row => ({ id, earned, payed, held, left, lastPayment: lastPayment ?? undefined });

function rowsOf({ referrals, soft }: Account): Row[] {
  const rows = [rowOf("referral", referrals), rowOf("soft", soft)];
  const all = (of: (one: Row) => string) => sum(rows.map(of));
  return [
    ...rows,
    {
      id: "total",
      earned: all(({ earned }) => earned),
      payed: all(({ payed }) => payed),
      left: all(({ left }) => left),
      held: all(({ held }) => held),
      lastPayment: rows
        .flatMap(({ lastPayment }) => lastPayment ?? [])
        .toSorted()
        .at(-1),
    },
  ];
}
