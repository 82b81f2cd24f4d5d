import type { Endpoint } from "../../contract/endpoint.ts";
import { refusals } from "../../contract/refusals.ts";
import type { AppKey } from "../../i18n/t.ts";
import { useAppText } from "../language.tsx";
import { useServerData } from "../serverData.tsx";
import { Badge } from "../ui/Badge.tsx";
import { Table } from "../ui/Table.tsx";
import styles from "./Call.module.css";
import { curlOf } from "./curl.ts";
import { Said, Sample } from "./Sample.tsx";

interface CallProps {
  id: string;
  endpoint: Endpoint;
  ask: Record<string, string>;
  /** The answer as it is read. */
  answer: string;
  note: AppKey | undefined;
}

/** One call: what it does, its parameters, an example and its answer, its errors. The contract speaks English. */
export function Call({ id, endpoint, ask, answer, note }: CallProps) {
  const t = useAppText();
  const { publicUrl } = useServerData();
  return (
    <section id={id} aria-labelledby={`${id}-title`} className={styles.call}>
      <h2 id={`${id}-title`} dir="ltr" className={styles.title}>
        {id}
      </h2>
      <p dir="ltr" className={styles.path}>
        <Badge tone="accent">{endpoint.method}</Badge>
        <code>{endpoint.path}</code>
      </p>
      <p lang="en" dir="auto" className={styles.summary}>
        <Said text={endpoint.summary} />
      </p>
      {note && <p className={styles.summary}>{t(note)}</p>}
      <Parameters endpoint={endpoint} />
      <Sample
        of={id}
        title={t("docs.request")}
        copy={t("docs.copy.request")}
        text={curlOf(endpoint, ask, publicUrl)}
      />
      <Sample of={id} title={t("docs.answer")} copy={t("docs.copy.answer")} text={answer} />
      <Errors endpoint={endpoint} />
    </section>
  );
}

function Parameters({ endpoint }: { endpoint: Endpoint }) {
  const t = useAppText();
  const rows = Object.entries(endpoint.ask).map(([name, field]) => ({ name, ...field }));
  return (
    <>
      <h3 className={styles.heading}>{t("docs.parameters")}</h3>
      {rows.length === 0 ? (
        <p className={styles.summary}>{t("docs.parameters.none")}</p>
      ) : (
        <Table
          caption={t("docs.parameters")}
          rows={rows}
          rowKey={(row) => row.name}
          columns={[
            {
              id: "name",
              header: t("docs.parameter"),
              heading: true,
              cell: (row) => <code>{row.name}</code>,
            },
            {
              id: "needed",
              header: t("docs.needed"),
              cell: (row) => t(row.optional ? "docs.needed.no" : "docs.needed.yes"),
            },
            {
              id: "meaning",
              header: t("docs.meaning"),
              cell: (row) => (
                <span lang="en" dir="auto">
                  <Said text={row.summary} />
                </span>
              ),
            },
          ]}
        />
      )}
    </>
  );
}

function Errors({ endpoint }: { endpoint: Endpoint }) {
  const t = useAppText();
  if (endpoint.refusals.length === 0) return null;
  return (
    <>
      <h3 className={styles.heading}>{t("docs.errors")}</h3>
      <dl className={styles.errors}>
        {endpoint.refusals.map((value) => (
          <div key={value}>
            <dt dir="ltr">
              <code>{value}</code>
            </dt>
            <dd lang="en" dir="auto">
              <Said text={refusals[value]} />
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}
