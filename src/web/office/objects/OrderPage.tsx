import { useQuery } from "@tanstack/react-query";
import type { Endpoints } from "../../../contract/api.ts";
import type { Reply } from "../../../contract/endpoint.ts";
import type { OfficeKey } from "../../../i18n/t.ts";
import { api } from "../../api.ts";
import { price } from "../../format.ts";
import { useLanguage, useOfficeText } from "../../language.tsx";
import { type Step, toneOf, wordsOf } from "../../orders/timeline/timeline.ts";
import { iconOf, TimelineLine } from "../../orders/timeline/TimelineLine.tsx";
import { RefusalNotice } from "../../RefusalNotice.tsx";
import { dataOf, refusedBy } from "../../serverState.tsx";
import { Exact } from "../../ui/display/Exact.tsx";
import { Loading } from "../../ui/feedback/Loading.tsx";
import { Card } from "../../ui/layout/Card.tsx";
import { orderActions } from "../actions/orders.tsx";
import styles from "../Office.module.css";
import { TablePart } from "../table/TablePart.tsx";
import { utcText } from "../utcText.ts";
import { JournalPart } from "./JournalPart.tsx";
import { ObjectLink } from "./ObjectLink.tsx";
import { Fact, ObjectPage, useObjectId } from "./ObjectPage.tsx";

type OrderReply = Reply<Endpoints["officeOrder"]>;

function useOrder() {
  const id = useObjectId();
  return useQuery({
    queryKey: ["office", "order", id],
    queryFn: ({ signal }) => dataOf(api.officeOrder({ id }, { signal })),
  });
}

/** One order: why its letter came or did not come, its money, and what belongs to it. */
export function OrderPage() {
  const t = useOfficeText();
  const { data } = useOrder();
  return (
    <ObjectPage object="order" name="orders" actions={orderActions} facts={data && <Wanted order={data} />}>
      {({ email }, id) => (
        <>
          <WhatHappened />
          <TablePart
            name="arrivals"
            title={t("office.part.arrivals")}
            filters={{ mailbox: email ?? "" }}
            without="mailbox"
          />
          <TablePart name="money" title={t("office.part.money")} filters={{ order: id }} without="order" />
          <TablePart
            name="orders"
            title={t("office.part.mailbox")}
            search={email ?? ""}
            without="email"
            whole={{ section: "orders", query: { search: email ?? "" } }}
          />
          <TablePart isQuiet name="complaints" title={t("office.section.complaints")} search={id} />
          <TablePart
            isQuiet
            name="questions"
            title={t("office.section.questions")}
            filters={{ order: id }}
            without="order"
          />
          <JournalPart object="order" id={id} />
        </>
      )}
    </ObjectPage>
  );
}

function Wanted({ order }: { order: OrderReply }) {
  const t = useOfficeText();
  const { subject, regex, reorder_of: before, batch } = order;
  return (
    <>
      <Fact label={t("office.utc", { name: t("office.order.until") })}>
        <Exact>{utcText(order.expires_at)}</Exact>
      </Fact>
      {subject !== undefined && (
        <Fact label={t("office.order.subject")}>
          <Exact>{subject}</Exact>
        </Fact>
      )}
      {regex !== undefined && (
        <Fact label={t("office.order.regex")}>
          <Exact>{regex}</Exact>
        </Fact>
      )}
      {before !== undefined && (
        <Fact label={t("office.order.before")}>
          <ObjectLink object="order" id={before} />
        </Fact>
      )}
      {batch !== undefined && (
        <Fact label={t("office.column.batch")}>
          <ObjectLink object="batch" id={batch} />
        </Fact>
      )}
    </>
  );
}

/** The timeline of the buyer, with the sender of every letter. */
function WhatHappened() {
  const t = useOfficeText();
  const { data, error, refetch } = useOrder();
  const refused = refusedBy(error);
  return (
    <Card aria-labelledby="what-happened" className={styles.story}>
      <h2 id="what-happened" className={styles.partTitle}>
        {t("timeline.title")}
      </h2>
      {refused && <RefusalNotice refused={refused} onRetry={() => void refetch()} />}
      {!data && !refused && <Loading lines={4} />}
      {data && (
        <ol className={styles.list}>
          {data.data.map((step, place) => (
            <TimelineLine
              key={place}
              Icon={iconOf(step)}
              tone={toneOf(step)}
              title={t(wordsOf(step))}
              at={step.at}
            >
              <StepFacts step={step} />
            </TimelineLine>
          ))}
        </ol>
      )}
    </Card>
  );
}

const missedKeys = {
  sender: "office.missed.sender",
  subject: "office.missed.subject",
  regex: "office.missed.regex",
} as const satisfies Record<NonNullable<Step["missed"]>, OfficeKey>;

function StepFacts({ step: { amount, missed, sender, subject, letter_id: letter } }: { step: Step }) {
  const t = useOfficeText();
  const language = useLanguage();
  return (
    <>
      {amount !== undefined && (
        <p className={styles.soft}>
          <Exact>{price(language, amount)}</Exact>
        </p>
      )}
      {missed !== undefined && <p>{t(missedKeys[missed])}</p>}
      {sender !== undefined && (
        <p className={styles.soft}>
          <Exact>{sender}</Exact>
        </p>
      )}
      {subject !== undefined && (
        <p className={styles.soft}>
          <bdi>{subject || "–"}</bdi>
        </p>
      )}
      {letter !== undefined && (
        <p>
          <ObjectLink object="letter" id={letter} text={t("office.object.letter", { id: letter })} />
        </p>
      )}
      {missed !== undefined && letter === undefined && (
        <p className={styles.soft}>{t("office.refusal.letterGone")}</p>
      )}
    </>
  );
}
