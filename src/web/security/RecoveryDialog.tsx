import { Download } from "lucide-react";
import { downloadFile } from "../DownloadButton.tsx";
import { useAccountText } from "../language.tsx";
import { CloseAnyway } from "../programs/SecretDialog.tsx";
import { Button } from "../ui/button/Button.tsx";
import { CopyButton } from "../ui/button/CopyButton.tsx";
import { Dialog } from "../ui/dialog/Dialog.tsx";
import { Exact } from "../ui/display/Exact.tsx";
import { Notice } from "../ui/feedback/Notice.tsx";
import { useState } from "react";
import styles from "./Factors.module.css";

/** Shows recovery codes once; nothing shows them again. Asks before closing unless they were copied or downloaded. */
export function RecoveryDialog({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const t = useAccountText();
  const [isStored, setStored] = useState(false);
  const [asks, setAsks] = useState(false);
  const text = `${codes.join("\n")}\n`;
  const download = () => {
    downloadFile(new Blob([text], { type: "text/plain" }), `postern-recovery-codes.txt`);
    setStored(true);
  };
  const footer = (
    <Button wide size="large" onClick={onClose}>
      {t("factors.recovery.stored")}
    </Button>
  );
  if (asks) return <CloseAnyway onBack={() => setAsks(false)} onClose={onClose} />;
  return (
    <Dialog
      title={t("factors.recovery.title")}
      onClose={() => (isStored ? onClose() : setAsks(true))}
      footer={footer}
    >
      <div className={styles.form}>
        <Notice tone="warn" title={t("factors.recovery.once")}>
          {t("factors.recovery.text")}
        </Notice>
        <ol
          className={styles.codes}
          dir="ltr"
          tabIndex={0}
          aria-label={t("factors.recovery.title")}
          data-autofocus
        >
          {codes.map((code) => (
            <li key={code}>
              <code>
                <Exact>{code}</Exact>
              </code>
            </li>
          ))}
        </ol>
        <div className={styles.buttons}>
          <Button tone="secondary" size="small" icon={<Download aria-hidden size={16} />} onClick={download}>
            {t("factors.recovery.download")}
          </Button>
          <CopyButton words text={text} label={t("factors.recovery.copy")} onCopied={() => setStored(true)} />
        </div>
      </div>
    </Dialog>
  );
}
