import { Check, Copy } from "lucide-react";
import { useText } from "../../language.tsx";
import { Button } from "./Button.tsx";
import { useCopy } from "./clipboard.ts";
import styles from "./CopyButton.module.css";
import { IconButton } from "./IconButton.tsx";
import { VisuallyHidden } from "../layout/VisuallyHidden.tsx";

interface CopyButtonProps {
  text: string;
  /** The accessible name: "Copy the token". */
  label?: string;
  /** Shows the name, or only "Copy", beside the icon. */
  words?: boolean | "short";
  /** How long the confirmation stays: 1.5 s, for links and wallets 2 s (spec B §9). */
  milliseconds?: number;
  onCopied?: () => void;
}

export function CopyButton({ text, label, words, milliseconds = 1500, onCopied }: CopyButtonProps) {
  const t = useText();
  const { copied, copy } = useCopy(milliseconds, onCopied);
  const name = label ?? t("ui.copy");
  const icon = copied ? (
    <Check aria-hidden size={16} className={styles.done} />
  ) : (
    <Copy aria-hidden size={16} />
  );
  return (
    <>
      {words ? (
        <Button
          tone="secondary"
          size="small"
          icon={icon}
          aria-label={copied ? undefined : name}
          onClick={() => copy(text)}
        >
          {copied ? t("ui.copied") : words === "short" ? t("ui.copy") : name}
        </Button>
      ) : (
        <IconButton label={name} icon={icon} onClick={() => copy(text)} />
      )}
      <VisuallyHidden role="status">{copied && t("ui.copied")}</VisuallyHidden>
    </>
  );
}
