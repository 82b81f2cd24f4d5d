import { Check, Upload as UploadIcon } from "lucide-react";
import { useState } from "react";
import { useAccountText } from "../language.tsx";
import { Button } from "../ui/button/Button.tsx";
import { Card } from "../ui/layout/Card.tsx";
import { ProgressBar } from "../ui/feedback/ProgressBar.tsx";
import { type BatchFileError, batchFileError } from "./batchFile.ts";
import { ConfirmBatch } from "./ConfirmBatch.tsx";
import { FileDrop } from "./FileDrop.tsx";
import styles from "./Investor.module.css";
import { RestrictedServices } from "./RestrictedServices.tsx";
import { FileRules } from "./FileRules.tsx";
import { Terms } from "./Terms.tsx";
import { UploadResult } from "./UploadResult.tsx";
import { type Upload, useUpload } from "./useUpload.ts";

/** Choose a file, confirm the restricted services, send the batch (spec O §4). */
export function AddBatch({ onStored }: { onStored: () => void }) {
  const t = useAccountText();
  const [trouble, setTrouble] = useState<BatchFileError>();
  const [asks, setAsks] = useState(false);
  const { file, services, upload, change, send, cancel } = useUpload(onStored);
  const isLoading = upload.state === "loading";
  const choose = (chosen: File | undefined) => {
    const wrong = chosen && batchFileError(chosen);
    setTrouble(wrong);
    change({ file: wrong ? undefined : chosen, upload: { state: "idle" } });
  };
  return (
    <Card className={styles.add} aria-labelledby="investor-add">
      <h2 id="investor-add" className={styles.heading}>
        {t("investor.add.title")}
      </h2>
      <div className={styles.columns}>
        <div className={styles.form}>
          <RestrictedServices
            services={services}
            disabled={isLoading}
            onChange={(names) => change({ services: names })}
          />
          <FileDrop file={file} trouble={trouble} disabled={isLoading} onFile={choose} />
          <div className={styles.actions}>
            <UploadButton state={upload.state} disabled={!file} onPress={() => setAsks(true)} />
            {isLoading && (
              <Button tone="ghost" onClick={cancel}>
                {t("ui.cancel")}
              </Button>
            )}
          </div>
          {isLoading && <UploadProgress sent={upload.sent} />}
          <UploadResult upload={upload} />
        </div>
        <div>
          <h3 className={styles.subheading}>{t("investor.rules.title")}</h3>
          <FileRules />
          <Terms />
        </div>
      </div>
      {asks && file && (
        <ConfirmBatch
          file={file}
          services={services}
          onClose={() => setAsks(false)}
          onConfirm={() => {
            setAsks(false);
            void send();
          }}
        />
      )}
    </Card>
  );
}

interface UploadButtonProps {
  state: Upload["state"];
  disabled: boolean;
  onPress: () => void;
}

function UploadButton({ state, disabled, onPress }: UploadButtonProps) {
  const t = useAccountText();
  const isDone = state === "success" && disabled;
  return (
    <Button
      busy={state === "loading"}
      disabled={disabled}
      icon={isDone ? <Check aria-hidden size={17} /> : <UploadIcon aria-hidden size={17} />}
      onClick={onPress}
    >
      {t(
        state === "loading"
          ? "investor.upload.loading"
          : isDone
            ? "investor.upload.success"
            : "investor.upload",
      )}
    </Button>
  );
}

function UploadProgress({ sent }: { sent: number }) {
  const t = useAccountText();
  return (
    <div className={styles.sending}>
      <ProgressBar label={t(sent < 1 ? "investor.sending" : "investor.reading")} done={sent} />
      <p className={styles.text}>{t("investor.sending.stay")}</p>
    </div>
  );
}
