import { KeyRound, Pencil, Power, ScrollText, Send, Trash2 } from "lucide-react";
import { useState } from "react";
import { eventNames } from "../../contract/event-names.ts";
import { api, type Refused } from "../api.ts";
import { useAccountText } from "../language.tsx";
import { refusalText } from "../refusalText.ts";
import { Badge } from "../ui/feedback/Badge.tsx";
import { Button } from "../ui/button/Button.tsx";
import { IconButton } from "../ui/button/IconButton.tsx";
import { Notice } from "../ui/feedback/Notice.tsx";
import { FailureText } from "./FailureText.tsx";
import styles from "./Programs.module.css";
import { useCall } from "./useCall.ts";
import { type Delivery, stateOf, type Webhook } from "./webhooks.ts";
import { Exact } from "../ui/display/Exact.tsx";

interface WebhookRowProps {
  webhook: Webhook;
  onChanged: () => void;
  onOpen: (what: "edit" | "remove" | "replace" | "log") => void;
}

export function WebhookRow({ webhook, onChanged, onOpen }: WebhookRowProps) {
  const t = useAccountText();
  const { url, disabled_reason: reason } = webhook;
  const { text, tone } = stateOf(webhook);
  const { isTesting, tested, test } = useTest(webhook, onChanged);
  return (
    <li className={styles.webhook}>
      <p className={styles.where}>
        <span dir="ltr" className={styles.url}>
          {url}
        </span>
        <Badge tone={tone}>{t(text)}</Badge>
      </p>
      <p className={styles.soft}>
        <Events names={webhook.events} />
      </p>
      {reason !== undefined && (
        <p className={styles.reason}>
          <FailureText sentence={reason} />
        </p>
      )}
      <div role="group" aria-label={t("webhook.actions", { url })} className={styles.actions}>
        <Button
          tone="secondary"
          size="small"
          busy={isTesting}
          icon={<Send aria-hidden size={15} />}
          onClick={() => void test()}
        >
          {t("webhook.test")}
        </Button>
        <Button
          tone="secondary"
          size="small"
          icon={<ScrollText aria-hidden size={15} />}
          onClick={() => onOpen("log")}
        >
          {t("webhook.log")}
        </Button>
        <Icons webhook={webhook} onChanged={onChanged} onOpen={onOpen} />
      </div>
      <div aria-live="polite">{tested && <TestResult tested={tested} />}</div>
    </li>
  );
}

function Events({ names }: { names: readonly string[] }) {
  const t = useAccountText();
  if (names.length === eventNames.length) return t("webhook.events.all");
  return eventNames
    .filter((name) => names.includes(name))
    .map((name) => t(`webhook.event.${name}`))
    .join(" · ");
}

function Icons({ webhook, onChanged, onOpen }: WebhookRowProps) {
  const t = useAccountText();
  const { isSwitching, flip } = useSwitch(webhook, onChanged);
  return (
    <span className={styles.icons}>
      <IconButton
        label={t(webhook.enabled ? "webhook.switchOff" : "webhook.switchOn")}
        aria-busy={isSwitching}
        icon={<Power aria-hidden size={17} />}
        onClick={() => void flip()}
      />
      <IconButton
        label={t("webhook.edit")}
        icon={<Pencil aria-hidden size={16} />}
        onClick={() => onOpen("edit")}
      />
      <IconButton
        label={t("webhook.replace")}
        icon={<KeyRound aria-hidden size={17} />}
        onClick={() => onOpen("replace")}
      />
      <IconButton
        label={t("webhook.remove")}
        icon={<Trash2 aria-hidden size={17} />}
        onClick={() => onOpen("remove")}
      />
    </span>
  );
}

type Result = { delivery: Delivery } | { refused: Refused<string> };

function TestResult({ tested }: { tested: Result }) {
  const t = useAccountText();
  if ("refused" in tested) return <Notice tone="warn">{refusalText(t, tested.refused)}</Notice>;
  const { state, http_status: status, failure } = tested.delivery;
  if (state === "delivered")
    return <Notice tone="good">{t("webhook.tested", { status: String(status ?? "") })}</Notice>;
  return (
    <Notice tone="bad" title={t("webhook.testFailed")}>
      {failure === undefined ? <Exact>{`HTTP ${status ?? "–"}`}</Exact> : <FailureText sentence={failure} />}
    </Notice>
  );
}

function useTest(webhook: Webhook, onChanged: () => void) {
  const [isTesting, setTesting] = useState(false);
  const [tested, setTested] = useState<Result>();
  const test = async () => {
    setTesting(true);
    setTested(undefined);
    const answer = await api.testWebhook({ id: webhook.id });
    setTesting(false);
    setTested(answer.ok ? { delivery: answer.data.delivery } : { refused: answer });
    onChanged();
  };
  return { isTesting, tested, test };
}

function useSwitch(webhook: Webhook, onChanged: () => void) {
  const [isSwitching, run] = useCall();
  const flip = async () => {
    if (isSwitching) return;
    await run(() => api.changeWebhook({ id: webhook.id, enabled: webhook.enabled ? 0 : 1 }));
    onChanged();
  };
  return { isSwitching, flip };
}
