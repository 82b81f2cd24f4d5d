import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Plus, Webhook as WebhookIcon } from "lucide-react";
import { useState } from "react";
import { api } from "../api.ts";
import { useAccountText } from "../language.tsx";
import { dataOf, refusedBy } from "../serverState.tsx";
import { Button } from "../ui/button/Button.tsx";
import { EmptyState } from "../ui/feedback/EmptyState.tsx";
import { ConfirmCall } from "./ConfirmCall.tsx";
import { DeliveryLog } from "./DeliveryLog.tsx";
import { SecretDialog } from "./SecretDialog.tsx";
import { ProgramsSection } from "./ProgramsSection.tsx";
import styles from "./Programs.module.css";
import { WebhookDialog } from "./WebhookDialog.tsx";
import { WebhookRow } from "./WebhookRow.tsx";
import type { Webhook } from "./webhooks.ts";
import { Exact } from "../ui/display/Exact.tsx";

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
      return (
        <ConfirmCall
          title={t("webhook.replace")}
          action={t("webhook.replace.do")}
          call={() => api.replaceWebhookSecret({ id: opened.webhook.id })}
          onEnd={(replaced) => done(replaced?.secret)}
          onClose={close}
        >
          <p>{t("webhook.replace.text")}</p>
        </ConfirmCall>
      );
    case "remove":
      return <Remove webhook={opened.webhook} onClose={close} onDone={() => done()} />;
  }
}

interface RemoveProps {
  webhook: Webhook;
  onClose: () => void;
  onDone: () => void;
}

function Remove({ webhook, onClose, onDone }: RemoveProps) {
  const t = useAccountText();
  return (
    <ConfirmCall
      title={t("webhook.remove.title")}
      action={t("webhook.remove")}
      call={() => api.removeWebhook({ id: webhook.id })}
      done={() => t("webhook.removed")}
      onEnd={onDone}
      onClose={onClose}
    >
      <p>{t("webhook.remove.text")}</p>
      <p className={styles.url}>
        <Exact dir="ltr">{webhook.url}</Exact>
      </p>
    </ConfirmCall>
  );
}
