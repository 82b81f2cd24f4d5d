import { useState, useEffect } from "react";
import { useAccountText } from "../language.tsx";
import { Button } from "../ui/button/Button.tsx";
import { Dialog } from "../ui/dialog/Dialog.tsx";
import { FileCounts } from "./FileCounts.tsx";
import { useSizeText } from "./FileDrop.tsx";
import styles from "./Investor.module.css";
import type { CountProgress } from "./lineCount.worker.ts";
import { Exact } from "../ui/display/Exact.tsx";

interface ConfirmBatchProps {
  file: File;
  services: readonly string[];
  onConfirm: () => void;
  onClose: () => void;
}

/** The owner confirms services and content before the upload (spec O §2, §5). */
export function ConfirmBatch({ file, services, onConfirm, onClose }: ConfirmBatchProps) {
  const t = useAccountText();
  const size = useSizeText(file.size);
  const progress = useFileCount(file);
  const [isConfirmed, setConfirmed] = useState(false);
  const isOther = "counted" in progress && progress.counted.isOther;
  const form = services.length > 0 ? "restricted" : "all";
  const footer = (
    <>
      <label className={styles.confirmation}>
        <input
          type="checkbox"
          data-autofocus
          className={styles.check}
          checked={isConfirmed}
          onChange={(event) => setConfirmed(event.target.checked)}
        />
        <span>{t(`investor.confirm.${form}`)}</span>
      </label>
      <Button tone="secondary" onClick={onClose}>
        {t("ui.cancel")}
      </Button>
      <Button disabled={!isConfirmed || isOther} onClick={onConfirm}>
        {t("investor.upload")}
      </Button>
    </>
  );
  return (
    <Dialog title={t("investor.confirm.title")} onClose={onClose} footer={footer}>
      <div className={styles.confirm}>
        <p>
          <Exact className={styles.name}>{file.name}</Exact> · <Exact className={styles.size}>{size}</Exact>
        </p>
        <p>{t(`investor.confirm.${form}.text`)}</p>
        {services.length > 0 && (
          <ul className={styles.named}>
            {services.map((service) => (
              <li key={service}>
                <Exact>{service}</Exact>
              </li>
            ))}
          </ul>
        )}
        <FileCounts progress={progress} />
      </div>
    </Dialog>
  );
}

/** Counts the lines in a worker, so that the page stays responsive. */
function useFileCount(file: File): CountProgress {
  const [latest, setLatest] = useState<{ file: File; progress: CountProgress }>();
  useEffect(() => {
    const setProgress = (progress: CountProgress) => setLatest({ file, progress });
    const worker = new Worker(new URL("./lineCount.worker.ts", import.meta.url), { type: "module" });
    worker.addEventListener("message", ({ data }: MessageEvent<CountProgress>) => setProgress(data));
    worker.addEventListener("error", () => setProgress({ failed: true }));
    worker.postMessage(file);
    return () => worker.terminate();
  }, [file]);
  return latest?.file === file ? latest.progress : { done: 0 };
}
