import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { MailQuestion } from "lucide-react";
import { useLocation, useSearch } from "wouter";
import type { Endpoints } from "../../../contract/api.ts";
import type { Reply } from "../../../contract/endpoint.ts";
import { api } from "../../api.ts";
import { fileSize } from "../../format.ts";
import { useLanguage, useOfficeText } from "../../language.tsx";
import { dataOf, refusedBy } from "../../serverState.tsx";
import { RefusalNotice } from "../../RefusalNotice.tsx";
import { Button } from "../../ui/button/Button.tsx";
import { Card } from "../../ui/layout/Card.tsx";
import { EmptyState } from "../../ui/feedback/EmptyState.tsx";
import { Loading } from "../../ui/feedback/Loading.tsx";
import { type Column, Table } from "../../ui/display/Table.tsx";
import { postmasterActions } from "../actions/letters.tsx";
import styles from "../Office.module.css";
import { RowActions } from "../table/RowActions.tsx";
import { utcText } from "../utcText.ts";
import { Exact } from "../../ui/display/Exact.tsx";

type PostmasterLetter = Reply<Endpoints["postmasterLetters"]>["data"][number];

export function PostmasterLetters({ title }: { title: string }) {
  const t = useOfficeText();
  const [pathname, navigate] = useLocation();
  const asked = new URLSearchParams(useSearch());
  const before = asked.get("before") ?? undefined;
  const letters = useQuery({
    queryKey: ["office", "postmaster", before],
    queryFn: ({ signal }) => dataOf(api.postmasterLetters({ before }, { signal })),
    placeholderData: keepPreviousData,
  });
  const columns = useColumns();
  const refused = refusedBy(letters.error);
  const next = letters.data?.next;
  const go = (to: string | undefined) => {
    asked.delete("before");
    if (to !== undefined) asked.set("before", to);
    navigate(`${pathname}?${asked}`);
  };
  return (
    <>
      <p className={styles.lead}>{t("office.postmaster.text")}</p>
      <Card flush aria-label={title}>
        {refused && <RefusalNotice inset refused={refused} onRetry={() => void letters.refetch()} />}
        {letters.isPending && <Loading inset lines={5} />}
        {letters.data?.data.length === 0 && (
          <EmptyState icon={<MailQuestion aria-hidden size={22} />} title={t("office.postmaster.none")} />
        )}
        {letters.data && letters.data.data.length > 0 && (
          <div
            aria-busy={letters.isPlaceholderData}
            className={letters.isPlaceholderData ? styles.stale : undefined}
          >
            <Table caption={title} columns={columns} rows={letters.data.data} rowKey={({ id }) => id} />
          </div>
        )}
        {(before !== undefined || next !== undefined) && (
          <div className={styles.foot}>
            <Button tone="ghost" disabled={before === undefined} onClick={() => go(undefined)}>
              {t("office.postmaster.newest")}
            </Button>
            <Button tone="ghost" disabled={next === undefined} onClick={() => go(next)}>
              {t("office.postmaster.older")}
            </Button>
          </div>
        )}
      </Card>
    </>
  );
}

function useColumns(): Column<PostmasterLetter>[] {
  const t = useOfficeText();
  const language = useLanguage();
  const none = <span className={styles.none}>—</span>;
  return [
    {
      id: "from",
      header: t("office.column.from"),
      heading: true,
      cell: ({ from, envelope }) => <Exact className={styles.text}>{from ?? envelope}</Exact>,
    },
    {
      id: "subject",
      header: t("office.column.subject"),
      cell: ({ subject }) => (subject === undefined ? none : <bdi className={styles.text}>{subject}</bdi>),
    },
    {
      id: "arrived",
      header: t("office.utc", { name: t("office.column.arrived") }),
      cell: ({ arrived_at: at }) => (
        <time dateTime={new Date(at * 1000).toISOString()} className={styles.time}>
          <Exact>{utcText(at)}</Exact>
        </time>
      ),
    },
    {
      id: "size",
      header: t("office.column.size"),
      align: "end",
      cell: ({ bytes }) => <Exact className={styles.time}>{fileSize(language, bytes)}</Exact>,
    },
    {
      id: "acts",
      header: t("office.acts"),
      quiet: true,
      cell: (row) => (
        <RowActions actions={postmasterActions} row={row} name={row.subject ?? row.from ?? row.envelope} />
      ),
    },
  ];
}
