import { useState } from "react";
import { useAccountText } from "../language.tsx";
import { Button } from "../ui/button/Button.tsx";
import { CopyButton } from "../ui/button/CopyButton.tsx";
import { Dialog } from "../ui/dialog/Dialog.tsx";
import { Notice } from "../ui/feedback/Notice.tsx";
import styles from "./Programs.module.css";

interface SecretDialogProps {
  title: string;
  text: string;
  secret: string;
  onClose: () => void;
}

/** Shows a secret once; nothing shows it again. */
export function SecretDialog({ title, text, secret, onClose }: SecretDialogProps) {
  const t = useAccountText();
  const [isCopied, setCopied] = useState(false);
  const [asks, setAsks] = useState(false);
  // Escape or a press on the backdrop must not lose it: asks before closing unless it was copied.
  const close = () => (isCopied ? onClose() : setAsks(true));
  if (asks) return <CloseAnyway onBack={() => setAsks(false)} onClose={onClose} />;
  return (
    <Dialog
      title={title}
      onClose={close}
      footer={<Button onClick={onClose}>{t("programs.secret.done")}</Button>}
    >
      <div className={styles.form}>
        <Notice tone="warn" title={t("programs.secret.once")}>
          {text}
        </Notice>
        <div className={styles.secret}>
          <code
            dir="ltr"
            tabIndex={0}
            role="group"
            aria-label={title}
            data-autofocus
            className={styles.code}
            onCopy={() => setCopied(true)}
          >
            {secret}
          </code>
          <CopyButton words text={secret} onCopied={() => setCopied(true)} />
        </div>
      </div>
    </Dialog>
  );
}

/** Asks before closing without a copy; "back" has the focus. */
export function CloseAnyway({ onBack, onClose }: { onBack: () => void; onClose: () => void }) {
  const t = useAccountText();
  const footer = (
    <>
      <Button tone="secondary" data-autofocus onClick={onBack}>
        {t("programs.secret.lost.back")}
      </Button>
      <Button tone="danger" onClick={onClose}>
        {t("programs.secret.lost.do")}
      </Button>
    </>
  );
  return (
    <Dialog title={t("programs.secret.lost.title")} onClose={onBack} footer={footer}>
      <p>{t("programs.secret.lost.text")}</p>
    </Dialog>
  );
}
