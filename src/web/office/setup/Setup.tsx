import { ArrowRight, RotateCw } from "lucide-react";
import { type ComponentType, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { moment } from "../../format.ts";
import { useOfficeText } from "../../language.tsx";
import { RefusalNotice } from "../../RefusalNotice.tsx";
import { useMinimumDuration } from "../../ui/feedback/useMinimumDuration.ts";
import { Badge, type Tone } from "../../ui/feedback/Badge.tsx";
import { Button } from "../../ui/button/Button.tsx";
import { Disclosure } from "../../ui/layout/Disclosure.tsx";
import { Loading } from "../../ui/feedback/Loading.tsx";
import { Notice } from "../../ui/feedback/Notice.tsx";
import { ProgressBar } from "../../ui/feedback/ProgressBar.tsx";
import { AdminStep } from "./AdminStep.tsx";
import { BotStep } from "./BotStep.tsx";
import { DomainStep } from "./DomainStep.tsx";
import { LetterStep } from "./LetterStep.tsx";
import { MailStep } from "./MailStep.tsx";
import styles from "./Setup.module.css";
import { StockStep } from "./StockStep.tsx";
import { type SetupState, type Step, type StepName, useSetup } from "./useSetup.ts";
import { WalletStep } from "./WalletStep.tsx";

const spinnerMilliseconds = 600;

const contents: Record<StepName, ComponentType<{ setup: SetupState }>> = {
  admin: AdminStep,
  mail: MailStep,
  domain: DomainStep,
  stock: StockStep,
  letter: LetterStep,
  wallets: WalletStep,
  bot: BotStep,
};

export function Setup() {
  const t = useOfficeText();
  const { setup, isLooking, refused, reload } = useSetup();
  const spins = useMinimumDuration(isLooking, spinnerMilliseconds);
  return (
    <div className={styles.page}>
      <div className={styles.top}>
        <p className={styles.lead}>{t("setup.lead")}</p>
        <Button tone="secondary" busy={spins} icon={<RotateCw aria-hidden size={17} />} onClick={reload}>
          {t("setup.again")}
        </Button>
      </div>
      {refused && <RefusalNotice refused={refused} onRetry={reload} />}
      {!setup && !refused && <Loading lines={7} />}
      {setup?.connections && <TooFewConnections {...setup.connections} />}
      {setup && <Steps setup={setup} />}
    </div>
  );
}

function Warnings({ setup }: { setup: SetupState }) {
  const t = useOfficeText();
  return (
    <>
      {setup.proxy_untrusted && (
        <Notice tone="bad" title={t("setup.proxy")}>
          {t("setup.proxy.text")}
        </Notice>
      )}
      {setup.token_acts && (
        <Notice tone="bad" title={t("setup.tokenActs")}>
          {t("setup.tokenActs.text")}
        </Notice>
      )}
      {setup.key && <KeyChanges {...setup.key} />}
      {setup.superuser && (
        <Notice tone="warn" title={t("setup.superuser")}>
          {t("setup.superuser.text")}
        </Notice>
      )}
      {setup.clock_ahead !== 0 && (
        <Notice tone="bad" title={t("setup.clock")}>
          {t("setup.clock.text", { seconds: Math.abs(setup.clock_ahead) })}
        </Notice>
      )}
    </>
  );
}

function Steps({ setup }: { setup: SetupState }) {
  const t = useOfficeText();
  const { steps, demo } = setup;
  const needed = steps.filter((step) => step.needed);
  const done = needed.filter(({ state }) => state === "done");
  const [opened, open] = useState<ReadonlySet<StepName>>(
    () =>
      new Set(
        steps
          .filter(({ state }) => state !== "done")
          .slice(0, 1)
          .map(({ name }) => name),
      ),
  );
  const toggle = (name: StepName, isOpen: boolean) => {
    if (opened.has(name) === isOpen) return;
    const others = [...opened].filter((other) => other !== name);
    open(new Set(isOpen ? [...others, name] : others));
  };
  const list = useRef<HTMLOListElement>(null);
  const goTo = (name: StepName) => {
    // Renders first: the step has its final place when the focus scrolls to it.
    flushSync(() => open(new Set([name])));
    list.current?.querySelector<HTMLElement>(`[data-step="${name}"] summary`)?.focus();
  };
  return (
    <>
      <Warnings setup={setup} />
      {demo && <Notice title={t("setup.demo")}>{t("setup.demo.text")}</Notice>}
      {setup.done ? (
        <Notice tone="good" title={t("setup.done")}>
          {t("setup.done.text")}
        </Notice>
      ) : (
        <ProgressBar
          label={t("setup.progress", { done: done.length, all: needed.length })}
          done={done.length / needed.length}
        />
      )}
      <ol ref={list} className={styles.steps}>
        {steps.map((step, at) => (
          <li key={step.name} data-step={step.name}>
            <StepRow
              step={step}
              number={at + 1}
              setup={setup}
              isOpen={opened.has(step.name)}
              onToggle={(isOpen) => toggle(step.name, isOpen)}
              next={nextOf(steps, at)}
              onNext={goTo}
            />
          </li>
        ))}
      </ol>
    </>
  );
}

const nextOf = (steps: readonly Step[], at: number): Step | undefined =>
  [...steps.slice(at + 1), ...steps.slice(0, at)].find(({ state }) => state !== "done");

interface StepRowProps {
  step: Step;
  number: number;
  setup: SetupState;
  isOpen: boolean;
  onToggle: (isOpen: boolean) => void;
  next: Step | undefined;
  onNext: (name: StepName) => void;
}

function StepRow({ step, number, setup, isOpen, onToggle, next, onNext }: StepRowProps) {
  const t = useOfficeText();
  const Content = contents[step.name];
  return (
    <Disclosure
      title={`${number}. ${t(`setup.step.${step.name}`)}`}
      badge={<StateBadge step={step} />}
      open={isOpen}
      onToggle={onToggle}
    >
      {isOpen && (
        <div className={styles.step}>
          <Content setup={setup} />
          {next && (
            <Button
              tone="secondary"
              size="small"
              className={styles.next}
              icon={<ArrowRight aria-hidden data-mirrored size={16} />}
              onClick={() => onNext(next.name)}
            >
              {t("setup.next", { step: t(`setup.step.${next.name}`) })}
            </Button>
          )}
        </div>
      )}
    </Disclosure>
  );
}

const tones = { done: "good", todo: "accent", warning: "warn" } as const satisfies Record<
  Step["state"],
  Tone
>;

function StateBadge({ step: { state, needed } }: { step: Step }) {
  const t = useOfficeText();
  if (state === "todo" && !needed) return <Badge>{t("setup.state.optional")}</Badge>;
  return <Badge tone={tones[state]}>{t(`setup.state.${state}`)}</Badge>;
}

function KeyChanges({ state, seen, total, tokens, until }: NonNullable<SetupState["key"]>) {
  const t = useOfficeText();
  return (
    <Notice tone={state === "over" ? "good" : "info"} title={t("setup.key")}>
      {t(`setup.key.${state}`, { seen, total, tokens, until: moment(until) })}
    </Notice>
  );
}

/** Each start says it in the log, too. */
function TooFewConnections(figures: NonNullable<SetupState["connections"]>) {
  const t = useOfficeText();
  return (
    <Notice tone="bad" title={t("setup.tooFewConnections")}>
      {t("setup.tooFewConnections.text", figures)}
    </Notice>
  );
}
