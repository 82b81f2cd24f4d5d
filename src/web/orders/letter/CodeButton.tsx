import { Check, Copy } from "lucide-react";
import { useAppText } from "../../language.tsx";
import { classNames } from "../../ui/layout/classNames.ts";
import { useCopy } from "../../ui/button/clipboard.ts";
import { VisuallyHidden } from "../../ui/layout/VisuallyHidden.tsx";
import styles from "./CodeButton.module.css";
import { Exact } from "../../ui/display/Exact.tsx";

interface CodeButtonProps {
  code: string;
  size?: "medium" | "large";
  className?: string | undefined;
}

export function CodeButton({ code, size = "medium", className }: CodeButtonProps) {
  const t = useAppText();
  const { copied, copy } = useCopy();
  return (
    <>
      <button
        type="button"
        title={t("letter.copyCode")}
        className={classNames(styles.code, size === "large" && styles.large, className)}
        onClick={() => copy(code)}
      >
        <VisuallyHidden>{t("letter.copyCode")} </VisuallyHidden>
        <Exact className={styles.text}>{code}</Exact>
        {copied ? <Check aria-hidden size={16} /> : <Copy aria-hidden size={16} className={styles.icon} />}
      </button>
      <VisuallyHidden role="status">{copied && t("ui.copied")}</VisuallyHidden>
    </>
  );
}
