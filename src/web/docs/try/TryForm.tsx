import { useCallback, useState } from "react";
import { sandboxSites } from "../../../contract/sandbox.ts";
import { isolated } from "../../format.ts";
import { useDocsText } from "../../language.tsx";
import { useServerData } from "../../serverData.tsx";
import { Button } from "../../ui/button/Button.tsx";
import { ConfirmDialog } from "../../ui/dialog/ConfirmDialog.tsx";
import { Notice } from "../../ui/feedback/Notice.tsx";
import { FileField } from "../../ui/form/FileField.tsx";
import type { DocumentedCall } from "../calls.ts";
import { CallResultView } from "./CallResultView.tsx";
import { TextWithCode } from "../code/CodeSample.tsx";
import { useDocsSession } from "../docsSession.tsx";
import { tryValues } from "../sampleValues.ts";
import { TryField } from "./TryField.tsx";
import { TryFirst } from "./TryFirst.tsx";
import styles from "./TryIt.module.css";
import { TryToken } from "./TryToken.tsx";
import { useCall } from "./useCall.ts";
import { useNewest } from "./useNewest.ts";

interface TryFormProps {
  call: DocumentedCall;
  panel: string;
}

/** Makes a call of the documentation for real, with values that work. */
export function TryForm({ call, panel }: TryFormProps) {
  const t = useDocsText();
  const { isBusy, isLost, tried, send, stop } = useCall(call);
  const { fields, asked, renew, needsOrder } = useGiven(call);
  const [file, setFile] = useState<File>();
  const [isAsking, setAsking] = useState(false);
  const isFree = (sandboxSites as readonly string[]).includes(asked["site"] ?? "");
  const really = () => {
    setAsking(false);
    void send({ asked, file });
    renew();
  };
  return (
    <form
      id={panel}
      noValidate
      aria-label={t("docs.try.of", { name: isolated(call.id) })}
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (call.caution && !isFree) setAsking(true);
        else really();
      }}
    >
      {call.access !== "anyone" && <TryToken />}
      {needsOrder && <TryFirst />}
      {call.file && <TryFile types={call.file.types} file={file} onFile={setFile} />}
      {fields.length > 0 && (
        <div className={styles.fields}>
          {fields.map(({ key, ...field }) => (
            <TryField key={key} {...field} example={call.example.ask[field.name]} />
          ))}
        </div>
      )}
      {call.caution && !isFree && (
        <Notice tone="warn">
          <TextWithCode text={t(`docs.try.${call.caution}`)} />
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
      <CallResultView id={call.id} isLost={isLost} tried={tried} />
      {isAsking && <ConfirmCall call={call} onConfirm={really} onClose={() => setAsking(false)} />}
    </form>
  );
}

interface TryFileProps {
  types: readonly string[];
  file: File | undefined;
  onFile: (file: File | undefined) => void;
}

function TryFile({ types, file, onFile }: TryFileProps) {
  const t = useDocsText();
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

/** The values of the form: typed ones, else the last order of this page, the newest of the account, and what works in every shop. */
function useGiven(call: DocumentedCall) {
  const { ordered } = useDocsSession();
  const { domains } = useServerData();
  const [typed, setTyped] = useState<Record<string, string>>({});
  const [round, setRound] = useState(0);
  const onChange = useCallback(
    (name: string, value: string) => setTyped((last) => ({ ...last, [name]: value })),
    [],
  );
  const isOfOrder = call.path.startsWith("/email/");
  const works = tryValues(call.name, domains[0]?.name);
  const newest = useNewest(call);
  const id = isOfOrder ? ordered : newest;
  const fields = Object.entries(call.ask).map(([name, field]) => ({
    name,
    field,
    value: typed[name] ?? (name === "id" ? id : (works[name] ?? "")),
    onChange,
    key: field.form.kind === "captcha" ? `${name} ${round}` : name,
  }));
  const asked = Object.fromEntries(fields.map(({ name, value }) => [name, value.trim()]));
  const needsOrder = isOfOrder && "id" in call.ask && ordered === "" && !typed["id"];
  return { fields, asked, needsOrder, renew: () => setRound(round + 1) };
}

interface ReallyProps {
  call: DocumentedCall;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks before a call that costs money or cannot be undone. */
function ConfirmCall({ call, onConfirm, onClose }: ReallyProps) {
  const t = useDocsText();
  const spends = call.caution === "spends";
  return (
    <ConfirmDialog
      title={t("docs.try.really", { name: isolated(call.id) })}
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
