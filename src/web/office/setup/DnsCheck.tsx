import { SearchCheck } from "lucide-react";
import type { Endpoints } from "../../../contract/api.ts";
import type { Reply } from "../../../contract/endpoint.ts";
import { api } from "../../api.ts";
import { moment } from "../../format.ts";
import { useOfficeText } from "../../language.tsx";
import { Badge, type Tone } from "../../ui/feedback/Badge.tsx";
import { Button } from "../../ui/button/Button.tsx";
import { Notice } from "../../ui/feedback/Notice.tsx";
import { CopyLine } from "./CopyLine.tsx";
import styles from "./Setup.module.css";
import { useStepAction } from "./useSetup.ts";
import { setupRefusalText } from "./setupRefusalText.ts";
import { Exact } from "../../ui/display/Exact.tsx";

type Looked = Reply<Endpoints["checkDns"]>;
type DnsRecord = Looked["records"][number];

const tones = {
  right: "good",
  missing: "bad",
  wrong: "bad",
  doubt: "warn",
  unknown: "warn",
} as const satisfies Record<DnsRecord["state"], Tone>;

interface DnsCheckProps {
  domain: string;
  last: { right: boolean; current: boolean; at: number } | undefined;
}

export function DnsCheck({ domain, last }: DnsCheckProps) {
  const t = useOfficeText();
  const { isBusy, data, refused, run } = useStepAction<Looked>();
  return (
    <section aria-label={t("setup.dns", { domain: domain })} className={styles.check}>
      <div className={styles.top}>
        <div>
          <p className={styles.name}>
            <Exact dir="ltr">{domain}</Exact>
          </p>
          {last?.current && (
            <p className={styles.soft}>
              {t(last.right ? "setup.dns.wasRight" : "setup.dns.wasWrong", { at: moment(last.at) })}
            </p>
          )}
        </div>
        <Button
          tone="secondary"
          busy={isBusy}
          icon={<SearchCheck aria-hidden size={17} />}
          onClick={() => void run(() => api.checkDns({ domain }))}
        >
          {t("setup.dns.check")}
        </Button>
      </div>
      {last && !last.current && (
        <Notice tone="warn">{t("setup.dns.wasEarlier", { at: moment(last.at) })}</Notice>
      )}
      {refused && <Notice tone="bad">{setupRefusalText(t, refused)}</Notice>}
      {data && (
        <Notice tone={data.right ? "good" : "warn"}>
          {t(data.right ? "setup.dns.right" : "setup.dns.notYet")}
        </Notice>
      )}
      {data && (
        <ul className={styles.records}>
          {data.records.map((record) => (
            <RecordRow key={`${record.kind} ${record.name}`} record={record} />
          ))}
        </ul>
      )}
    </section>
  );
}

function RecordRow({ record }: { record: DnsRecord }) {
  const t = useOfficeText();
  const { kind, name, type, value, needed, state, trouble, found } = record;
  return (
    <li className={styles.record}>
      <p className={styles.recordHead}>
        <span>{t(`setup.record.${kind}`)}</span>
        <Badge tone={state === "missing" && !needed ? "plain" : tones[state]}>
          {t(state === "missing" && !needed ? "setup.record.advised" : `setup.record.${state}`)}
        </Badge>
      </p>
      {trouble && <p className={styles.trouble}>{t(`setup.trouble.${trouble}`)}</p>}
      <p className={styles.soft}>
        <Exact dir="ltr">{`${name} ${type}`}</Exact>
      </p>
      {value === undefined ? (
        <p className={styles.soft}>{t("setup.record.yourAddress")}</p>
      ) : (
        <CopyLine line={value} label={t("setup.record.copy", { type })} />
      )}
      {found.length > 0 && (
        <p className={styles.soft}>
          {t("setup.record.found")}{" "}
          <Exact dir="ltr" className={styles.found}>
            {found.join(" · ")}
          </Exact>
        </p>
      )}
    </li>
  );
}
