import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Hourglass } from "lucide-react";
import { useState } from "react";
import type { Endpoints } from "../../../contract/api.ts";
import type { Reply } from "../../../contract/endpoint.ts";
import type { AppKey } from "../../../i18n/t.ts";
import { api, type Refused } from "../../api.ts";
import { isolated, price } from "../../format.ts";
import { useAppText, useLanguage } from "../../language.tsx";
import { refusalText } from "../../refusalText.ts";
import { dataOf, refusedBy } from "../../serverState.tsx";
import { RefusalNotice } from "../../RefusalNotice.tsx";
import { Button } from "../../ui/button/Button.tsx";
import { VisuallyHidden } from "../../ui/layout/VisuallyHidden.tsx";
import { Notice } from "../../ui/feedback/Notice.tsx";
import { Skeleton, SkeletonLines } from "../../ui/feedback/Skeleton.tsx";
import styles from "./TimelineDialog.module.css";
import { isOver, type Step, toneOf, wordsOf } from "./timeline.ts";
import { iconOf, TimelineLine } from "./TimelineLine.tsx";
import { Exact } from "../../ui/display/Exact.tsx";
import { useBusy } from "../../useBusy.ts";

const lookMilliseconds = 5000;

export type ReleasedLetter = Reply<Endpoints["releaseLetter"]>;

interface TimelineProps {
  id: string;
  /** A letter was accepted, and is shown instead. */
  onLetter?: (letter: ReleasedLetter) => void;
}

/** What happened to an order, step by step; asks again until it is over. */
export function Timeline({ id, onLetter }: TimelineProps) {
  const t = useAppText();
  const timeline = useQuery({
    queryKey: ["timeline", id],
    queryFn: async ({ signal }) => (await dataOf(api.timeline({ id }, { signal }))).data,
    staleTime: 0,
    // No event reports a mismatch.
    refetchInterval: ({ state }) => (state.data && isOver(state.data) ? false : lookMilliseconds),
  });
  const refused = refusedBy(timeline.error);
  return (
    <>
      {timeline.isPending && timeline.isFetching && (
        <div role="status" className={styles.skeletons}>
          <VisuallyHidden>{t("ui.loading")}</VisuallyHidden>
          {Array.from({ length: 3 }, (_, step) => (
            <div key={step} className={styles.skeleton}>
              <Skeleton width="2rem" height="2rem" round />
              <SkeletonLines lines={2} />
            </div>
          ))}
        </div>
      )}
      {refused && <RefusalNotice refused={refused} onRetry={() => void timeline.refetch()} />}
      {timeline.data && <Steps id={id} steps={timeline.data} onLetter={onLetter} />}
    </>
  );
}

interface StepsProps {
  id: string;
  steps: readonly Step[];
  onLetter: TimelineProps["onLetter"];
}

function Steps({ id, steps, onLetter }: StepsProps) {
  const t = useAppText();
  return (
    <ol className={styles.steps}>
      {steps.map((step, at) => (
        <TimelineLine key={at} Icon={iconOf(step)} tone={toneOf(step)} title={t(wordsOf(step))} at={step.at}>
          <Facts step={step} />
          {step.releasable && step.letter_id !== undefined && (
            <Release id={id} letterId={step.letter_id} steps={steps} onLetter={onLetter} />
          )}
        </TimelineLine>
      ))}
      {!isOver(steps) && <TimelineLine Icon={Hourglass} tone="accent" title={t("timeline.waiting")} />}
    </ol>
  );
}

const missedKeys = {
  sender: "timeline.missed.sender",
  subject: "timeline.missed.subject",
  regex: "timeline.missed.regex",
} as const satisfies Record<NonNullable<Step["missed"]>, AppKey>;

function Facts({ step }: { step: Step }) {
  const t = useAppText();
  const language = useLanguage();
  return (
    <>
      {step.amount !== undefined && (
        <p className={styles.amount}>
          <Exact>{price(language, step.amount)}</Exact>
        </p>
      )}
      {step.subject !== undefined && (
        <p className={styles.subject}>
          <bdi>{step.subject || "–"}</bdi>
        </p>
      )}
      {step.sender !== undefined && (
        <p className={styles.fact}>
          <Exact>{step.sender}</Exact>
        </p>
      )}
      {step.missed !== undefined && <p className={styles.fact}>{t(missedKeys[step.missed])}</p>}
    </>
  );
}

interface ReleaseProps extends StepsProps {
  letterId: string;
}

/** Accepts a mismatch: asks first, because the order then counts as received and is not refunded. */
function Release({ id, letterId, steps, onLetter }: ReleaseProps) {
  const t = useAppText();
  const language = useLanguage();
  const client = useQueryClient();
  const [isAsked, setAsked] = useState(false);
  const [isBusy, whileBusy] = useBusy();
  const [refused, setRefused] = useState<Refused<string>>();
  const amount = steps.find(({ step }) => step === "ordered")?.amount ?? "0";
  const isPaid = steps.some(({ step }) => step === "charged");
  const take = async () => {
    const answer = await whileBusy(() => api.releaseLetter({ id, letter: letterId }));
    setRefused(answer.ok ? undefined : answer);
    if (answer.ok) onLetter?.(answer.data);
    void client.invalidateQueries();
  };
  if (!isAsked) {
    return (
      <Button tone="secondary" size="small" className={styles.start} onClick={() => setAsked(true)}>
        {t("timeline.release")}
      </Button>
    );
  }
  return (
    <div className={styles.release}>
      <p>
        {isPaid
          ? t("timeline.release.paid")
          : t("timeline.release.charges", { price: isolated(price(language, amount)) })}
      </p>
      <div className={styles.choice}>
        <Button autoFocus size="small" busy={isBusy} onClick={() => void take()}>
          {t("timeline.release.do")}
        </Button>
        <Button tone="ghost" size="small" onClick={() => setAsked(false)}>
          {t("timeline.release.not")}
        </Button>
      </div>
      {refused && <Notice tone="bad">{refusalText(t, refused)}</Notice>}
    </div>
  );
}
