import { RotateCw } from "lucide-react";
import { type ComponentType, useState } from "react";
import { useOfficeText } from "../../language.tsx";
import { Trouble } from "../../Trouble.tsx";
import { useAtLeast } from "../../ui/atLeast.ts";
import { Badge, type Tone } from "../../ui/Badge.tsx";
import { Button } from "../../ui/Button.tsx";
import { Disclosure } from "../../ui/Disclosure.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { Progress } from "../../ui/Progress.tsx";
import { SkeletonLines } from "../../ui/Skeleton.tsx";
import { AdminStep } from "./AdminStep.tsx";
import { BotStep } from "./BotStep.tsx";
import { DomainStep } from "./DomainStep.tsx";
import { LetterStep } from "./LetterStep.tsx";
import { MailStep } from "./MailStep.tsx";
import styles from "./Setup.module.css";
import { StockStep } from "./StockStep.tsx";
import { type Standing, type Step, type StepName, useSetup } from "./useSetup.ts";
import { WalletStep } from "./WalletStep.tsx";

const spinnerMilliseconds = 600;

const contents: Record<StepName, ComponentType<{ standing: Standing }>> = {
  admin: AdminStep,
  mail: MailStep,
  domain: DomainStep,
  stock: StockStep,
  letter: LetterStep,
  wallets: WalletStep,
  bot: BotStep,
};

/** The first run: what a shop needs before its first sale, step by step. */
export function Setup() {
  const t = useOfficeText();
  const { standing, isLooking, refused, reload } = useSetup();
  const spins = useAtLeast(isLooking, spinnerMilliseconds);
  return (
    <div className={styles.page}>
      <div className={styles.top}>
        <p className={styles.lead}>{t("setup.lead")}</p>
        <Button tone="secondary" busy={spins} icon={<RotateCw aria-hidden size={17} />} onClick={reload}>
          {t("setup.again")}
        </Button>
      </div>
      {refused && <Trouble refused={refused} onAgain={reload} />}
      {!standing && !refused && (
        <div role="status" aria-label={t("ui.loading")}>
          <SkeletonLines lines={7} />
        </div>
      )}
      {standing && <Steps standing={standing} />}
    </div>
  );
}

function Steps({ standing }: { standing: Standing }) {
  const t = useOfficeText();
  const { steps, demo } = standing;
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
  return (
    <>
      {demo && <Notice title={t("setup.demo")}>{t("setup.demo.text")}</Notice>}
      {standing.done ? (
        <Notice tone="good" title={t("setup.done")}>
          {t("setup.done.text")}
        </Notice>
      ) : (
        <Progress
          label={t("setup.progress", { done: done.length, all: needed.length })}
          done={done.length / needed.length}
        />
      )}
      <ol className={styles.steps}>
        {steps.map((step, at) => (
          <li key={step.name}>
            <StepRow
              step={step}
              number={at + 1}
              standing={standing}
              isOpen={opened.has(step.name)}
              onToggle={(isOpen) => toggle(step.name, isOpen)}
            />
          </li>
        ))}
      </ol>
    </>
  );
}

interface StepRowProps {
  step: Step;
  number: number;
  standing: Standing;
  isOpen: boolean;
  onToggle: (isOpen: boolean) => void;
}

function StepRow({ step, number, standing, isOpen, onToggle }: StepRowProps) {
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
          <Content standing={standing} />
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
