import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Plus, Webhook as WebhookIcon } from "lucide-react";
import { useState } from "react";
import { api } from "../api.ts";
import { useAccountText } from "../language.tsx";
import { refusalText } from "../refusalText.ts";
import { dataOf, refusedBy } from "../serverState.tsx";
import { Button } from "../ui/button/Button.tsx";
import { ConfirmDialog } from "../ui/dialog/ConfirmDialog.tsx";
import { EmptyState } from "../ui/feedback/EmptyState.tsx";
import { toast } from "../ui/feedback/toast.ts";
import { DeliveryLog } from "./DeliveryLog.tsx";
import { SecretDialog } from "./SecretDialog.tsx";
import { ProgramsSection } from "./ProgramsSection.tsx";
import styles from "./Programs.module.css";
import { WebhookDialog } from "./WebhookDialog.tsx";
import { WebhookRow } from "./WebhookRow.tsx";
import type { Webhook } from "./webhooks.ts";
import { Exact } from "../ui/display/Exact.tsx";
import { useBusy } from "../useBusy.ts";

type OpenDialogState =
  | { what: "add" }
  | { what: "edit" | "remove" | "replace" | "log"; webhook: Webhook }
  | { what: "secret"; secret: string };

export function Webhooks() {
  const t = useAccountText();
  const client = useQueryClient();
  const [opened, open] = useState<OpenDialogState>();
  const webhooks = useQuery({
    queryKey: ["webhooks"],
    queryFn: async ({ signal }) => (await dataOf(api.webhooks({}, { signal }))).data,
  });
  const refresh = () => void client.invalidateQueries({ queryKey: ["webhooks"] });
  const { data } = webhooks;
  return (
    <ProgramsSection
      id="webhooks-title"
      title={t("webhook.title")}
      text={t("webhook.text")}
      action={
        <Button icon={<Plus aria-hidden size={17} />} onClick={() => open({ what: "add" })}>
          {t("webhook.add")}
        </Button>
      }
      isLoading={webhooks.isPending && webhooks.isFetching}
      refused={refusedBy(webhooks.error)}
      reload={() => void webhooks.refetch()}
    >
      {data?.length === 0 && (
        <EmptyState icon={<WebhookIcon aria-hidden size={22} />} title={t("webhook.empty")}>
          {t("webhook.empty.text")}
        </EmptyState>
      )}
      {data && data.length > 0 && (
        <ul aria-label={t("webhook.title")} className={styles.list}>
          {data.map((webhook) => (
            <WebhookRow
              key={webhook.id}
              webhook={webhook}
              onChanged={refresh}
              onOpen={(what) => open({ what, webhook })}
            />
          ))}
        </ul>
      )}
      {opened && <OpenDialog opened={opened} open={open} refresh={refresh} />}
    </ProgramsSection>
  );
}

interface AboveProps {
  opened: OpenDialogState;
  open: (opened: OpenDialogState | undefined) => void;
  refresh: () => void;
}

function OpenDialog({ opened, open, refresh }: AboveProps) {
  const t = useAccountText();
  const close = () => open(undefined);
  const done = (secret?: string) => {
    refresh();
    open(secret === undefined ? undefined : { what: "secret", secret });
  };
  switch (opened.what) {
    case "add":
      return <WebhookDialog onClose={close} onDone={done} />;
    case "edit":
      return <WebhookDialog webhook={opened.webhook} onClose={close} onDone={done} />;
    case "log":
      return <DeliveryLog webhook={opened.webhook} onClose={close} />;
    case "secret":
      return (
        <SecretDialog
          title={t("webhook.secret")}
          text={t("webhook.secret.text")}
          secret={opened.secret}
          onClose={close}
        />
      );
    case "replace":
      return <Replace webhook={opened.webhook} onClose={close} onDone={done} />;
    case "remove":
      return <Remove webhook={opened.webhook} onClose={close} onDone={done} />;
  }
}

interface ConfirmedProps {
  webhook: Webhook;
  onClose: () => void;
  onDone: (secret?: string) => void;
}

function Replace({ webhook, onClose, onDone }: ConfirmedProps) {
  const t = useAccountText();
  const [isBusy, whileBusy] = useBusy();
  const replace = async () => {
    const answer = await whileBusy(() => api.replaceWebhookSecret({ id: webhook.id }));
    if (!answer.ok) toast("bad", refusalText(t, answer));
    onDone(answer.ok ? answer.data.secret : undefined);
  };
  return (
    <ConfirmDialog
      title={t("webhook.replace")}
      action={t("webhook.replace.do")}
      busy={isBusy}
      onConfirm={() => void replace()}
      onClose={onClose}
    >
      <p>{t("webhook.replace.text")}</p>
    </ConfirmDialog>
  );
}

function Remove({ webhook, onClose, onDone }: ConfirmedProps) {
  const t = useAccountText();
  const [isBusy, whileBusy] = useBusy();
  const remove = async () => {
    const answer = await whileBusy(() => api.removeWebhook({ id: webhook.id }));
    if (answer.ok) toast("good", t("webhook.removed"));
    else toast("bad", refusalText(t, answer));
    onDone();
  };
  return (
    <ConfirmDialog
      title={t("webhook.remove.title")}
      action={t("webhook.remove")}
      busy={isBusy}
      onConfirm={() => void remove()}
      onClose={onClose}
    >
      <p>{t("webhook.remove.text")}</p>
      <p className={styles.url}>
        <Exact dir="ltr">{webhook.url}</Exact>
      </p>
    </ConfirmDialog>
  );
}
