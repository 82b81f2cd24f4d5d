import { Plus, SearchX, Wallet } from "lucide-react";
import { useState } from "react";
import { topUpMinDollars } from "../../../contract/limits.ts";
import { AccountPage } from "../../dashboard/AccountPage.tsx";
import { useAppText } from "../../language.tsx";
import { noPeriod } from "../../period/period.ts";
import { PeriodChips } from "../../period/PeriodChips.tsx";
import { periodText } from "../../period/periodText.ts";
import { RefusalNotice } from "../../RefusalNotice.tsx";
import { useRefused } from "../../serverState.tsx";
import { Button } from "../../ui/button/Button.tsx";
import { Chip, Chips } from "../../ui/button/Chip.tsx";
import { FilterChips } from "../../ui/button/FilterChips.tsx";
import { Pagination } from "../../ui/display/Pagination.tsx";
import { EmptyState } from "../../ui/feedback/EmptyState.tsx";
import { Loading } from "../../ui/feedback/Loading.tsx";
import { Card } from "../../ui/layout/Card.tsx";
import { PaymentRow } from "./PaymentRow.tsx";
import styles from "./Payments.module.css";
import { isNarrowed, type PaymentsQuery, paymentGroups, usePaymentsQuery } from "./paymentsQuery.ts";
import { TopUpDialog } from "../TopUpDialog.tsx";
import { usePayments } from "./usePayments.ts";

export function Payments() {
  const t = useAppText();
  const [isToppingUp, setToppingUp] = useState(false);
  return (
    <AccountPage
      title={t("payments.title")}
      lead={t("payments.lead")}
      actions={
        <Button icon={<Plus aria-hidden size={17} />} onClick={() => setToppingUp(true)}>
          {t("topup.open")}
        </Button>
      }
    >
      <PaymentList />
      {isToppingUp && <TopUpDialog amount={String(topUpMinDollars)} onClose={() => setToppingUp(false)} />}
    </AccountPage>
  );
}

function PaymentList() {
  const t = useAppText();
  const [query, change] = usePaymentsQuery();
  const [page, setPage] = useState(1);
  const asked = usePayments(page, query);
  const refused = useRefused(asked);
  const { data, isPlaceholderData } = asked;
  const narrow = (more: Partial<PaymentsQuery>) => {
    setPage(1);
    change(more);
  };
  if (page > 1 && data?.data.length === 0 && !isPlaceholderData) setPage(1);
  const isEmpty = data?.data.length === 0 && !refused;
  return (
    <Card flush aria-label={t("payments.title")}>
      {(isNarrowed(query) || (data?.found ?? 0) > foldedUpTo) && (
        <Filters query={query} change={narrow} found={data?.found} />
      )}
      {asked.isPending && !refused && <Loading inset lines={6} />}
      {refused && <RefusalNotice inset refused={refused} onRetry={() => void asked.refetch()} />}
      {isEmpty && isNarrowed(query) && (
        <EmptyState icon={<SearchX aria-hidden size={22} />} title={t("find.nothing")}>
          {t("payments.nothing.text")}
        </EmptyState>
      )}
      {isEmpty && !isNarrowed(query) && (
        <EmptyState icon={<Wallet aria-hidden size={22} />} title={t("payments.empty")}>
          {t("payments.empty.text")}
        </EmptyState>
      )}
      {data && data.data.length > 0 && (
        <ul aria-label={t("payments.title")} className={styles.list}>
          {data.data.map((payment) => (
            <PaymentRow key={payment.id} payment={payment} />
          ))}
        </ul>
      )}
      <Pagination page={page} pages={data?.pages ?? 1} onPage={setPage} />
    </Card>
  );
}

// A few payments are seen at a glance.
const foldedUpTo = 3;

interface FiltersProps {
  query: PaymentsQuery;
  change: (more: Partial<PaymentsQuery>) => void;
  found: number | undefined;
}

function Filters({ query, change, found }: FiltersProps) {
  const t = useAppText();
  const { group, since, until } = query;
  const hasDays = since !== "" || until !== "";
  const days = { id: "period", label: periodText(t, query), onRemove: () => change(noPeriod) };
  return (
    <div className={styles.filters}>
      <div className={styles.choices}>
        <Chips label={t("payments.state")}>
          {paymentGroups.map((one) => (
            <Chip
              key={one}
              chosen={one === group}
              onClick={() => change({ group: one === group ? "" : one })}
            >
              {t(`payments.group.${one}`)}
            </Chip>
          ))}
        </Chips>
        <PeriodChips period={query} onPeriod={change} />
      </div>
      <FilterChips
        filters={hasDays ? [days] : []}
        found={found === undefined ? undefined : t("payments.found", { count: found })}
      />
    </div>
  );
}
