import { FileText, Upload, X } from "lucide-react";
import { type DragEvent, useId, useState } from "react";
import { useAccountText, useLanguage } from "../language.tsx";
import { classNames } from "../ui/layout/classNames.ts";
import { IconButton } from "../ui/button/IconButton.tsx";
import { Notice } from "../ui/feedback/Notice.tsx";
import { uploadMegabytesMax, type BatchFileError, sizeIn } from "./batchFile.ts";
import styles from "./Investor.module.css";
import { Exact } from "../ui/display/Exact.tsx";

interface FileDropProps {
  file: File | undefined;
  trouble: BatchFileError | undefined;
  disabled: boolean;
  onFile: (file: File | undefined) => void;
}

/** A file, dropped or chosen; shows its name and size (spec O §2). */
export function FileDrop({ file, trouble, disabled, onFile }: FileDropProps) {
  const t = useAccountText();
  const hint = useId();
  const [isOver, setOver] = useState(false);
  const take = (files: FileList | null) => {
    const [first] = files ?? [];
    if (first && !disabled) onFile(first);
  };
  const over = (event: DragEvent) => {
    // Otherwise the browser opens the file.
    event.preventDefault();
    setOver(!disabled);
  };
  return (
    <div className={styles.file}>
      <label
        className={classNames(styles.drop, isOver && styles.over)}
        aria-disabled={disabled || undefined}
        onDragEnter={over}
        onDragOver={over}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          take(event.dataTransfer.files);
        }}
      >
        <input
          type="file"
          accept=".txt,text/plain"
          className={styles.input}
          disabled={disabled}
          aria-describedby={hint}
          onChange={(event) => {
            take(event.target.files);
            event.target.value = "";
          }}
        />
        <Upload aria-hidden size={22} className={styles.dropIcon} />
        <span>{t("investor.drop")}</span>
      </label>
      {/* What was chosen takes their place: file and button stay in sight. */}
      <ul id={hint} hidden={file !== undefined} className={styles.hints}>
        <li>{t("investor.drop.size", { size: uploadMegabytesMax })}</li>
        <li>{t("investor.drop.format")}</li>
        <li>{t("investor.drop.accounts")}</li>
      </ul>
      {trouble && <Notice tone="bad">{t(`investor.file.${trouble}`, { size: uploadMegabytesMax })}</Notice>}
      <div role="status">
        {file && <ChosenFile file={file} disabled={disabled} onRemove={() => onFile(undefined)} />}
      </div>
    </div>
  );
}

function ChosenFile({ file, disabled, onRemove }: { file: File; disabled: boolean; onRemove: () => void }) {
  const t = useAccountText();
  const size = useSizeText(file.size);
  return (
    <p className={styles.chosen}>
      <FileText aria-hidden size={18} className={styles.dropIcon} />
      <Exact className={styles.name}>{file.name}</Exact>
      <Exact className={styles.size}>{size}</Exact>
      <IconButton
        label={t("investor.file.remove")}
        icon={<X aria-hidden size={16} />}
        disabled={disabled}
        onClick={onRemove}
      />
    </p>
  );
}

export function useSizeText(bytes: number): string {
  const t = useAccountText();
  const language = useLanguage();
  const { amount, unit } = sizeIn(bytes);
  return t(`investor.size.${unit}`, { size: new Intl.NumberFormat(`${language}-u-nu-latn`).format(amount) });
}
