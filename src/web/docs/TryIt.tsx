import { ChevronDown, Play } from "lucide-react";
import { useCallback, useId, useState, useSyncExternalStore } from "react";
import type { Endpoint } from "../../contract/endpoint.ts";
import { useAppText } from "../language.tsx";
import { Button } from "../ui/button/Button.tsx";
import { classNames } from "../ui/layout/classNames.ts";
import { ConfirmDialog } from "../ui/dialog/ConfirmDialog.tsx";
import { FileField } from "../ui/form/FileField.tsx";
import { VisuallyHidden } from "../ui/layout/VisuallyHidden.tsx";
import { Notice } from "../ui/feedback/Notice.tsx";
import { isolated } from "../format.ts";
import { useDocsSession } from "./docsSession.tsx";
import { TextWithCode } from "./CodeSample.tsx";
import { CallResultView } from "./CallResultView.tsx";
import { TryField } from "./TryField.tsx";
import { TryToken } from "./TryToken.tsx";
import styles from "./TryIt.module.css";
import { useCall } from "./useCall.ts";

interface TryItProps {
  id: string;
  endpoint: Endpoint;
  ask: Record<string, string>;
}

export function TryIt(props: TryItProps) {
  const t = useAppText();
  const [isOpen, setOpen] = useState(false);
  const panel = useId();
  const isListening = useIsListening();
  return (
    <div className={styles.try}>
      <Button
        tone="secondary"
        disabled={!isListening}
        icon={<Play aria-hidden size={15} />}
        aria-expanded={isOpen}
        aria-controls={isOpen ? panel : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        <span className={styles.word}>
          {t("docs.try")} <VisuallyHidden>{props.id}</VisuallyHidden>
          <ChevronDown aria-hidden size={16} className={classNames(styles.chevron, isOpen && styles.up)} />
        </span>
      </Button>
      {isOpen && <TryForm {...props} panel={panel} />}
    </div>
  );
}

/** Whether the page is hydrated; the button stays disabled before, as a press would be lost. */
const useIsListening = () =>
  useSyncExternalStore(
    noChanges,
    () => true,
    () => false,
  );
const noChanges = () => () => undefined;

function TryForm({ id, endpoint, ask, panel }: TryItProps & { panel: string }) {
  const t = useAppText();
  const { isBusy, isLost, tried, send, stop } = useCall(endpoint);
  const { fields, asked, renew } = useGiven(endpoint);
  const [file, setFile] = useState<File>();
  const [isAsking, setAsking] = useState(false);
  const really = () => {
    setAsking(false);
    void send({ asked, file });
    renew();
  };
  return (
    <form
      id={panel}
      noValidate
      aria-label={t("docs.try.of", { name: isolated(id) })}
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (endpoint.caution) setAsking(true);
        else really();
      }}
    >
      {endpoint.access !== "anyone" && <TryToken />}
      {endpoint.file && <TryFile types={endpoint.file.types} file={file} onFile={setFile} />}
      {fields.length > 0 && (
        <div className={styles.fields}>
          {fields.map(({ key, ...field }) => (
            <TryField key={key} {...field} example={ask[field.name]} />
          ))}
        </div>
      )}
      {endpoint.caution && (
        <Notice tone="warn">
          <TextWithCode text={t(`docs.try.${endpoint.caution}`)} />
        </Notice>
      )}
      <div className={styles.actions}>
        <Button type="submit" busy={isBusy}>
          {t("docs.try.send")}
        </Button>
        {isBusy && (
          <Button tone="ghost" onClick={stop}>
            {t("docs.try.stop")}
          </Button>
        )}
      </div>
      <CallResultView id={id} isLost={isLost} tried={tried} />
      {isAsking && (
        <ConfirmCall id={id} endpoint={endpoint} onConfirm={really} onClose={() => setAsking(false)} />
      )}
    </form>
  );
}

interface TryFileProps {
  types: readonly string[];
  file: File | undefined;
  onFile: (file: File | undefined) => void;
}

function TryFile({ types, file, onFile }: TryFileProps) {
  const t = useAppText();
  return (
    <FileField
      label={t("docs.try.file")}
      action={t("docs.try.file.choose")}
      none={t("docs.try.file.none")}
      accept={types.join(",")}
      file={file}
      onFile={onFile}
    />
  );
}

/** The values of the form. The activation id defaults to the last one ordered here. */
function useGiven(endpoint: Endpoint) {
  const { ordered } = useDocsSession();
  const [typed, setTyped] = useState<Record<string, string>>({});
  const [round, setRound] = useState(0);
  const onChange = useCallback(
    (name: string, value: string) => setTyped((last) => ({ ...last, [name]: value })),
    [],
  );
  const isOfOrder = endpoint.path.startsWith("/email/");
  const fields = Object.entries(endpoint.ask).map(([name, field]) => ({
    name,
    field,
    value: typed[name] ?? (name === "id" && isOfOrder ? ordered : ""),
    onChange,
    key: field.form.kind === "captcha" ? `${name} ${round}` : name,
  }));
  const asked = Object.fromEntries(fields.map(({ name, value }) => [name, value.trim()]));
  return { fields, asked, renew: () => setRound(round + 1) };
}

interface ReallyProps {
  id: string;
  endpoint: Endpoint;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks before a call that costs money or cannot be undone. */
function ConfirmCall({ id, endpoint, onConfirm, onClose }: ReallyProps) {
  const t = useAppText();
  const spends = endpoint.caution === "spends";
  return (
    <ConfirmDialog
      title={t("docs.try.really", { name: isolated(id) })}
      action={t(spends ? "docs.try.spend" : "docs.try.end")}
      busy={false}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <p>
        <TextWithCode text={t(spends ? "docs.try.spends" : "docs.try.ends")} />
      </p>
    </ConfirmDialog>
  );
}
