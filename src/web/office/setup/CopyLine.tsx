import { useOfficeText } from "../../language.tsx";
import { CopyButton } from "../../ui/button/CopyButton.tsx";
import styles from "./Setup.module.css";

export function CopyLine({ line, label }: { line: string; label?: string }) {
  const t = useOfficeText();
  return (
    <div className={styles.line} dir="ltr">
      <code className={styles.code}>{line}</code>
      <CopyButton text={line} label={label ?? t("setup.copy", { name: line.split("=")[0] ?? line })} />
    </div>
  );
}

export function CopyLines({ lines }: { lines: readonly string[] }) {
  const t = useOfficeText();
  if (lines.length === 0) return null;
  return (
    <div className={styles.lines}>
      <p className={styles.soft}>{t("setup.lines")}</p>
      {lines.map((line) => (
        <CopyLine key={line} line={line} />
      ))}
    </div>
  );
}
