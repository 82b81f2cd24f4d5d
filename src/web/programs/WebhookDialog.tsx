import { type FormEvent, useState } from "react";
import { eventNames } from "../../contract/event-names.ts";
import { urlLengthMax } from "../../contract/limits.ts";
import { api, type Refused } from "../api.ts";
import { useAccountText } from "../language.tsx";
import { refusalText } from "../refusalText.ts";
import { Button } from "../ui/button/Button.tsx";
import { Dialog } from "../ui/dialog/Dialog.tsx";
import { TextField, verbatim } from "../ui/form/Input.tsx";
import { Notice } from "../ui/feedback/Notice.tsx";
import styles from "./Programs.module.css";
import type { Webhook } from "./webhooks.ts";
import { useBusy } from "../useBusy.ts";

interface WebhookDialogProps {
  webhook?: Webhook;
  onClose: () => void;
  onDone: (secret?: string) => void;
}

export function WebhookDialog({ webhook, onClose, onDone }: WebhookDialogProps) {
  const t = useAccountText();
  const [url, setUrl] = useState(webhook?.url ?? "");
  const [events, setEvents] = useState<readonly string[]>(webhook?.events ?? eventNames);
  const [isBusy, whileBusy] = useBusy();
  const [refused, setRefused] = useState<Refused<string>>();
  const [isEmpty, setEmpty] = useState(false);
  const add = async (asked: { url: string; events: string }) => {
    const answer = await api.addWebhook(asked);
    if (answer.ok) onDone(answer.data.secret);
    return answer.ok ? undefined : answer;
  };
  const change = async (id: string, asked: { url: string; events: string }) => {
    const answer = await api.changeWebhook({ id, ...asked });
    if (answer.ok) onDone();
    return answer.ok ? undefined : answer;
  };
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy || events.length === 0) return;
    if (url.trim() === "") {
      setEmpty(true);
      event.currentTarget.querySelector("input")?.focus();
      return;
    }
    const asked = { url: url.trim(), events: events.join(",") };
    const no = await whileBusy(async () => (webhook ? await change(webhook.id, asked) : await add(asked)));
    setRefused(no);
  };
  const isUrlWrong = refused?.value === "url";
  const urlError = isUrlWrong ? refusalText(t, refused) : undefined;
  const footer = (
    <Button type="submit" form="webhook" wide size="large" busy={isBusy} disabled={events.length === 0}>
      {t(webhook ? "webhook.save" : "webhook.add")}
    </Button>
  );
  return (
    <Dialog title={t(webhook ? "webhook.edit" : "webhook.add")} onClose={onClose} footer={footer}>
      <form id="webhook" noValidate onSubmit={(event) => void submit(event)} className={styles.form}>
        <AddressField
          value={url}
          error={isEmpty ? t("webhook.url.empty") : urlError}
          onChange={(typed) => {
            setUrl(typed);
            setRefused(undefined);
            setEmpty(false);
          }}
        />
        <Events chosen={events} onChange={setEvents} />
        {refused && !isUrlWrong && <Notice tone="bad">{refusalText(t, refused)}</Notice>}
      </form>
    </Dialog>
  );
}

interface AddressProps {
  value: string;
  error: string | undefined;
  onChange: (typed: string) => void;
}

function AddressField({ value, error, onChange }: AddressProps) {
  const t = useAccountText();
  return (
    <TextField
      label={t("webhook.url")}
      hint={t("webhook.url.hint")}
      error={error}
      data-autofocus
      {...verbatim}
      type="url"
      inputMode="url"
      placeholder="https://"
      maxLength={urlLengthMax}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}

interface EventsProps {
  chosen: readonly string[];
  onChange: (names: string[]) => void;
}

function Events({ chosen, onChange }: EventsProps) {
  const t = useAccountText();
  return (
    <fieldset className={styles.events}>
      <legend className={styles.legend}>{t("webhook.events")}</legend>
      {eventNames.map((name) => (
        <label key={name} className={styles.event}>
          <input
            type="checkbox"
            className={styles.check}
            checked={chosen.includes(name)}
            onChange={({ target }) =>
              onChange(eventNames.filter((one) => (one === name ? target.checked : chosen.includes(one))))
            }
          />
          <span>
            {t(`webhook.event.${name}`)}
            <code dir="ltr" className={styles.eventName}>
              {name}
            </code>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
