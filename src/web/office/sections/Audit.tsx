import { useQuery } from "@tanstack/react-query";
import { ShieldCheck } from "lucide-react";
import { useState } from "react";
import type { Endpoints } from "../../../contract/api.ts";
import { brokenNamedMax, invariantNames } from "../../../contract/office/audit.ts";
import type { Reply } from "../../../contract/endpoint.ts";
import { api } from "../../api.ts";
import { useOfficeText } from "../../language.tsx";
import { dataOf, refusedBy } from "../../serverState.tsx";
import { Button } from "../../ui/button/Button.tsx";
import { Card } from "../../ui/layout/Card.tsx";
import { Disclosure } from "../../ui/layout/Disclosure.tsx";
import { Notice } from "../../ui/feedback/Notice.tsx";
import { Skeleton } from "../../ui/feedback/Skeleton.tsx";
import styles from "./Audit.module.css";
import { auditTexts } from "./auditTexts.ts";
import { officeRefusalText } from "../officeRefusalText.ts";
import { useOverview } from "./useOverview.ts";
import { utcText } from "../utcText.ts";

type Found = Reply<Endpoints["auditShop"]>;

/** Runs an audit on demand only: it reads whole tables. */
export function Audit() {
  const t = useOfficeText();
  const audit = useQuery({
    queryKey: ["audit"],
    queryFn: ({ signal }) => dataOf(api.auditShop({}, { signal })),
    enabled: false,
  });
  const refused = refusedBy(audit.error);
  const overview = useOverview();
  return (
    <Card
      aria-labelledby="office-audit"
      aria-busy={overview.isPending && overview.isFetching}
      className={styles.audit}
    >
      <h2 id="office-audit" className={styles.heading}>
        {t("office.audit")}
      </h2>
      <p className={styles.says}>{t("office.audit.says", { count: invariantNames.length })}</p>
      <Button
        tone="secondary"
        className={styles.run}
        icon={<ShieldCheck aria-hidden size={17} />}
        busy={audit.isFetching}
        onClick={() => void audit.refetch()}
      >
        {t("office.audit.run")}
      </Button>
      {audit.isFetching && (
        <p role="status" className={styles.soft}>
          {t("office.audit.running")}
        </p>
      )}
      {!audit.isFetching && !refused && !audit.data && <LastAudit />}
      {!audit.isFetching && refused && <Notice tone="warn">{officeRefusalText(t, refused)}</Notice>}
      {!audit.isFetching && !refused && audit.data && (
        <Findings found={audit.data} at={audit.dataUpdatedAt} />
      )}
    </Card>
  );
}

function LastAudit() {
  const t = useOfficeText();
  const { data } = useOverview();
  if (!data) return <Skeleton width="16rem" />;
  if (data.audited_at === null) return <Notice tone="warn">{t("office.audit.never")}</Notice>;
  const time = utcText(data.audited_at);
  const broken = data.waiting.audit;
  return broken === 0 ? (
    <p className={styles.soft}>{t("office.audit.last", { time })}</p>
  ) : (
    <Notice tone="bad">{t("office.audit.last.broken", { time, count: broken })}</Notice>
  );
}

function Findings({ found: { holds, invariants }, at }: { found: Found; at: number }) {
  const t = useOfficeText();
  const [isOpen, setOpen] = useState(false);
  const broken = invariants.filter((invariant) => !invariant.holds);
  const kept = invariants.filter((invariant) => invariant.holds);
  const time = utcText(at / 1000);
  return (
    <>
      {holds ? (
        <Notice tone="good" title={t("office.audit.holds")}>
          {t("office.audit.at", { time })}
        </Notice>
      ) : (
        <Notice tone="bad" title={t("office.audit.broken", { count: broken.length, all: invariants.length })}>
          {t("office.audit.at", { time })} {t("office.audit.next")}
        </Notice>
      )}
      {broken.length > 0 && (
        <ul className={styles.broken}>
          {broken.map(({ name, bad }) => (
            <li key={name}>
              <p className={styles.promise}>{t(auditTexts[name])}</p>
              <p className={styles.soft}>
                {t(bad.length < brokenNamedMax ? "office.audit.by" : "office.audit.byFirst", {
                  max: bad.length,
                })}{" "}
                <bdi lang="en">{bad.join(", ")}</bdi>
              </p>
            </li>
          ))}
        </ul>
      )}
      {kept.length > 0 && (
        <Disclosure title={t("office.audit.kept", { count: kept.length })} open={isOpen} onToggle={setOpen}>
          <ul className={styles.kept}>
            {kept.map(({ name }) => (
              <li key={name}>{t(auditTexts[name])}</li>
            ))}
          </ul>
        </Disclosure>
      )}
    </>
  );
}
