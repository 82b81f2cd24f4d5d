import { ChevronDown, Play } from "lucide-react";
import { Suspense, useId, useState, useSyncExternalStore } from "react";
import { useDocsText } from "../../language.tsx";
import { lazyPart } from "../../lazyPart.tsx";
import { Button } from "../../ui/button/Button.tsx";
import { Spinner } from "../../ui/feedback/Spinner.tsx";
import { classNames } from "../../ui/layout/classNames.ts";
import { VisuallyHidden } from "../../ui/layout/VisuallyHidden.tsx";
import type { DocumentedCall } from "../calls.ts";
import styles from "./TryIt.module.css";

const TryForm = lazyPart(async () => (await import("./TryForm.tsx")).TryForm);

export function TryIt({ call }: { call: DocumentedCall }) {
  const t = useDocsText();
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
          {t("docs.try")} <VisuallyHidden>{call.id}</VisuallyHidden>
          <ChevronDown aria-hidden size={16} className={classNames(styles.chevron, isOpen && styles.up)} />
        </span>
      </Button>
      {isOpen && (
        <Suspense fallback={<Spinner label={t("ui.loading")} />}>
          <TryForm call={call} panel={panel} />
        </Suspense>
      )}
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
