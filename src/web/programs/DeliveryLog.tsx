import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { ChevronLeft, ChevronRight, ScrollText } from "lucide-react";
import { useState } from "react";
import { pollSeconds } from "../../contract/limits.ts";
import { api } from "../api.ts";
import { moment } from "../format.ts";
import { useAccountText } from "../language.tsx";
import { refusalText } from "../refusalText.ts";
import { dataOf, refusedBy } from "../serverState.tsx";
import { Badge } from "../ui/feedback/Badge.tsx";
import { Dialog } from "../ui/dialog/Dialog.tsx";
import { EmptyState } from "../ui/feedback/EmptyState.tsx";
import { Button } from "../ui/button/Button.tsx";
import { CopyButton } from "../ui/button/CopyButton.tsx";
import { IconButton } from "../ui/button/IconButton.tsx";
import { Loading } from "../ui/feedback/Loading.tsx";
import { Notice } from "../ui/feedback/Notice.tsx";
import { FailureText } from "./FailureText.tsx";
import styles from "./Programs.module.css";
import { useCall } from "./useCall.ts";
import { type Delivery, toneOf, type Webhook } from "./webhooks.ts";
import { Exact } from "../ui/display/Exact.tsx";

interface DeliveryLogProps {
  webhook: Webhook;
  onClose: () => void;
}

export function DeliveryLog({ webhook, onClose }: DeliveryLogProps) {
  const t = useAccountText();
  const [page, setPage] = useState(1);
  const log = useQuery({
    queryKey: ["deliveries", webhook.id, page],
    queryFn: ({ signal }) => dataOf(api.webhookDeliveries({ id: webhook.id, page }, { signal })),
    placeholderData: keepPreviousData,
    // Polls while a delivery is pending.
    refetchInterval: ({ state }) =>
      state.data?.data.some((delivery) => delivery.state === "waiting") ? pollSeconds * 1000 : false,
  });
  const refused = refusedBy(log.error);
  return (
    <Dialog wide title={t("webhook.log")} onClose={onClose}>
      <div className={styles.form}>
        <p className={styles.url}>
          <Exact dir="ltr">{webhook.url}</Exact>
        </p>
        {refused && <Notice tone="warn">{refusalText(t, refused)}</Notice>}
        {log.isPending && log.isFetching && <Loading lines={4} />}
        {log.data?.data.length === 0 && (
          <EmptyState icon={<ScrollText aria-hidden size={22} />} title={t("webhook.log.empty")}>
            {t("webhook.log.empty.text")}
          </EmptyState>
        )}
        <ul>
          {log.data?.data.map((delivery) => (
            <Row key={delivery.id} webhook={webhook} delivery={delivery} onSent={() => void log.refetch()} />
          ))}
        </ul>
        {(page > 1 || log.data?.next_page) && (
          <nav aria-label={t("ui.pager")} className={styles.pager}>
            <IconButton
              label={t("ui.pager.previous")}
              disabled={page === 1}
              icon={<ChevronLeft aria-hidden data-mirrored size={18} />}
              onClick={() => setPage(page - 1)}
            />
            <span>{t("ui.pager.page", { page })}</span>
            <IconButton
              label={t("ui.pager.next")}
              disabled={!log.data?.next_page}
              icon={<ChevronRight aria-hidden data-mirrored size={18} />}
              onClick={() => setPage(page + 1)}
            />
          </nav>
        )}
      </div>
    </Dialog>
  );
}

interface RowProps {
  webhook: Webhook;
  delivery: Delivery;
  onSent: () => void;
}

function Row({ webhook, delivery, onSent }: RowProps) {
  const t = useAccountText();
  const [isBusy, run] = useCall();
  const { event, state, tries, failure, http_status: status, created_at: at, next_try_at: next } = delivery;
  const again = async () => {
    await run(() => api.redeliver({ id: webhook.id, delivery: delivery.id }));
    onSent();
  };
  return (
    <li className={styles.delivery}>
      <div className={styles.sent}>
        <p className={styles.where}>
          <code dir="ltr" className={styles.name}>
            {event}
          </code>
          <Badge tone={toneOf(delivery)}>{t(`webhook.delivery.${state}`)}</Badge>
          {status !== undefined && <Exact className={styles.soft}>{`HTTP ${status}`}</Exact>}
        </p>
        <p className={styles.soft}>
          <Exact>{moment(at, "seconds")}</Exact> ·{" "}
          <span>{t("webhook.delivery.tries", { count: tries })}</span>
          {next !== undefined && (
            <span>{` · ${t("webhook.delivery.next", { time: moment(next, "seconds").slice(11) })}`}</span>
          )}
        </p>
        {failure !== undefined && state !== "delivered" && (
          <p className={styles.reason}>
            <FailureText sentence={failure} />
          </p>
        )}
      </div>
      <Button tone="ghost" size="small" busy={isBusy} onClick={() => void again()}>
        {t("webhook.redeliver")}
      </Button>
      <Exchange webhook={webhook} delivery={delivery} />
    </li>
  );
}

/** What was sent and what came back, asked for once somebody opens it. */
function Exchange({ webhook, delivery: { id, tries, state } }: Pick<RowProps, "webhook" | "delivery">) {
  const t = useAccountText();
  const [isOpen, setOpen] = useState(false);
  const detail = useQuery({
    // A further try sends other headers and may be answered in another way.
    queryKey: ["delivery", webhook.id, id, tries, state],
    queryFn: ({ signal }) => dataOf(api.webhookDelivery({ id: webhook.id, delivery: id }, { signal })),
    enabled: isOpen,
  });
  const refused = refusedBy(detail.error);
  const { body, headers, answer } = detail.data ?? {};
  return (
    <details className={styles.exchange} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className={styles.soft}>{t("webhook.exchange")}</summary>
      {refused && <Notice tone="warn">{refusalText(t, refused)}</Notice>}
      {detail.isPending && detail.isFetching && <Loading lines={3} />}
      {detail.data && body === undefined && <p className={styles.soft}>{t("webhook.exchange.wiped")}</p>}
      {body !== undefined && <Sent name={t("webhook.exchange.body")} text={indented(body)} copied={body} />}
      {headers && (
        <>
          <Sent
            name={t("webhook.exchange.headers")}
            text={Object.entries(headers)
              .map(([name, value]) => `${name}: ${value}`)
              .join("\n")}
          />
          <Sent
            name={t("webhook.exchange.answer")}
            text={answer ? [answer.type, answer.text].filter(Boolean).join("\n\n") : ""}
            none={t(answer ? "webhook.exchange.empty" : "webhook.exchange.none")}
          />
        </>
      )}
    </details>
  );
}

interface SentProps {
  name: string;
  text: string;
  none?: string;
  copied?: string;
}

function Sent({ name, text, none, copied = text }: SentProps) {
  const t = useAccountText();
  return (
    <section className={styles.part}>
      <div className={styles.partHead}>
        <h3 className={styles.soft}>{name}</h3>
        {text !== "" && <CopyButton text={copied} label={t("webhook.exchange.copy", { name })} />}
      </div>
      {text === "" ? (
        <p className={styles.soft}>{none}</p>
      ) : (
        <pre dir="ltr" translate="no" tabIndex={0} role="group" aria-label={name} className={styles.text}>
          {text}
        </pre>
      )}
    </section>
  );
}

/** The body of a message as it reads best; what is sent and signed has no blanks. */
const indented = (json: string) => JSON.stringify(JSON.parse(json), undefined, 2);
