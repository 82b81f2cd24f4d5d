import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { UserCheck } from "lucide-react";
import { useLocation, useSearch } from "wouter";
import { api } from "../../api.ts";
import { exactPrice } from "../../format.ts";
import { useLanguage, useOfficeText } from "../../language.tsx";
import { dataOf, refusedBy } from "../../serverState.tsx";
import { RefusalNotice } from "../../RefusalNotice.tsx";
import { Card } from "../../ui/layout/Card.tsx";
import { EmptyState } from "../../ui/feedback/EmptyState.tsx";
import { Loading } from "../../ui/feedback/Loading.tsx";
import { Pagination } from "../../ui/display/Pagination.tsx";
import { type Column, Table } from "../../ui/display/Table.tsx";
import { PastLastPage } from "../table/PastLastPage.tsx";
import { heldActions, type HeldRow } from "../actions/heldEarnings.tsx";
import styles from "../Office.module.css";
import { ObjectLink } from "../objects/ObjectLink.tsx";
import { RowActions } from "../table/RowActions.tsx";
import { utcText } from "../utcText.ts";
import { Exact } from "../../ui/display/Exact.tsx";

export function HeldEarnings({ title }: { title: string }) {
  const t = useOfficeText();
  const page = Math.max(1, Math.trunc(Number(new URLSearchParams(useSearch()).get("page"))) || 1);
  const [pathname, navigate] = useLocation();
  const held = useQuery({
    queryKey: ["office", "held", page],
    queryFn: ({ signal }) => dataOf(api.heldEarnings({ page }, { signal })),
    placeholderData: keepPreviousData,
  });
  const columns = useColumns();
  const refused = held.data ? undefined : refusedBy(held.error);
  const pages = held.data?.pages ?? 0;
  const isEmpty = held.data?.data.length === 0;
  const go = (next: number) => navigate(next > 1 ? `${pathname}?page=${next}` : pathname);
  return (
    <>
      <p className={styles.lead}>{t("office.held.text")}</p>
      <Card flush aria-label={title}>
        {refused && <RefusalNotice inset refused={refused} onRetry={() => void held.refetch()} />}
        {!held.data && !refused && <Loading inset lines={5} />}
        {isEmpty && pages > 0 && <PastLastPage pages={pages} onLast={() => go(pages)} />}
        {isEmpty && pages === 0 && (
          <EmptyState icon={<UserCheck aria-hidden size={22} />} title={t("office.held.none")} />
        )}
        {held.data && held.data.data.length > 0 && (
          <Table caption={title} columns={columns} rows={held.data.data} rowKey={nameOf} />
        )}
        <Pagination page={Math.min(page, Math.max(1, pages))} pages={pages} onPage={go} />
      </Card>
    </>
  );
}

const nameOf = ({ partner, buyer }: HeldRow) => `${partner.email} / ${buyer.email}`;

function useColumns(): Column<HeldRow>[] {
  const t = useOfficeText();
  const language = useLanguage();
  const money = (id: "referrals" | "soft"): Column<HeldRow> => ({
    id,
    header: t(`office.column.${id}`),
    align: "end",
    cell: (row) => <Exact>{exactPrice(language, row[id])}</Exact>,
  });
  return [
    {
      id: "partner",
      header: t("office.held.partner"),
      heading: true,
      cell: ({ partner }) => <ObjectLink object="user" id={partner.id} text={partner.email} />,
    },
    {
      id: "buyer",
      header: t("office.held.buyer"),
      cell: ({ buyer }) => <ObjectLink object="user" id={buyer.id} text={buyer.email} />,
    },
    {
      id: "reasons",
      header: t("office.held.reasons"),
      cell: ({ reasons }) => reasons.map((reason) => t(`office.held.reason.${reason}`)).join(", "),
    },
    {
      id: "since",
      header: t("office.utc", { name: t("office.held.since") }),
      cell: ({ since }) => <Exact className={styles.time}>{utcText(since)}</Exact>,
    },
    money("referrals"),
    money("soft"),
    {
      id: "acts",
      header: t("office.acts"),
      quiet: true,
      cell: (row) => <RowActions actions={heldActions} row={row} name={nameOf(row)} />,
    },
  ];
}
