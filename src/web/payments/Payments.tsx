import { Wallet } from "lucide-react";
import { useState } from "react";
import { Link, useLocation } from "wouter";
import { AccountPage } from "../dashboard/AccountPage.tsx";
import { exactPrice } from "../format.ts";
import { Moment } from "../Moment.tsx";
import { useAppText, useLanguage } from "../language.tsx";
import { paths } from "../paths.ts";
import { useRefused } from "../serverState.tsx";
import { RefusalNotice } from "../RefusalNotice.tsx";
import { Badge } from "../ui/feedback/Badge.tsx";
import { Card } from "../ui/layout/Card.tsx";
import { EmptyState } from "../ui/feedback/EmptyState.tsx";
import { Loading } from "../ui/feedback/Loading.tsx";
import { Pagination } from "../ui/display/Pagination.tsx";
import { type Column, Table } from "../ui/display/Table.tsx";
import { CoinAmount } from "./CoinAmount.tsx";
import { statusLooks } from "./PaymentStatus.tsx";
import { type ListedPayment, usePayments } from "./usePayments.ts";
import { stateOf } from "./paymentState.ts";
import { Exact } from "../ui/display/Exact.tsx";

export function Payments() {
  const t = useAppText();
  return (
    <AccountPage title={t("payments.title")} lead={t("payments.lead")}>
      <PaymentList />
    </AccountPage>
  );
}

function PaymentList() {
  const t = useAppText();
  const language = useLanguage();
  const [, navigate] = useLocation();
  const [page, setPage] = useState(1);
  const query = usePayments(page);
  const refused = useRefused(query);
  const columns = useColumns();
  const { data, isPlaceholderData } = query;
  if (page > 1 && data?.data.length === 0 && !isPlaceholderData) setPage(1);
  return (
    <Card flush aria-label={t("payments.title")}>
      {query.isPending && !refused && <Loading inset lines={6} />}
      {refused && <RefusalNotice inset refused={refused} onRetry={() => void query.refetch()} />}
      {data?.data.length === 0 && !refused && (
        <EmptyState icon={<Wallet aria-hidden size={22} />} title={t("payments.empty")}>
          {t("payments.empty.text")}
        </EmptyState>
      )}
      {data && data.data.length > 0 && (
        <Table
          caption={t("payments.title")}
          columns={columns}
          rows={data.data}
          rowKey={({ id }) => id}
          onRow={({ id }) => navigate(paths.pay(language, id))}
        />
      )}
      <Pagination page={page} pages={data?.pages ?? 1} onPage={setPage} />
    </Card>
  );
}

function useColumns(): Column<ListedPayment>[] {
  const t = useAppText();
  const language = useLanguage();
  return [
    {
      id: "id",
      header: t("payments.id"),
      heading: true,
      cell: ({ id }) => (
        <Link href={paths.pay(language, id)}>
          <Exact>{`№${id}`}</Exact>
        </Link>
      ),
    },
    {
      id: "at",
      header: t("payments.at"),
      cell: ({ created_at: at }) => <Moment at={at} />,
    },
    {
      id: "amount",
      header: t("payments.amount"),
      align: "end",
      cell: ({ amount }) => <Exact>{exactPrice(language, amount)}</Exact>,
    },
    {
      id: "coins",
      header: t("payments.coins"),
      align: "end",
      cell: ({ currency, currency_amount: coins }) => <CoinAmount amount={coins} currency={currency} />,
    },
    {
      id: "state",
      header: t("payments.state"),
      cell: (payment) => {
        const { tone, text } = statusLooks[stateOf(payment)];
        return <Badge tone={tone}>{t(text)}</Badge>;
      },
    },
  ];
}
