import { useAppText } from "../language.tsx";
import { Button } from "../ui/Button.tsx";
import { CopyButton } from "../ui/CopyButton.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import { Notice } from "../ui/Notice.tsx";
import styles from "./Programs.module.css";

interface SecretShownProps {
  title: string;
  /** What it is for, beside the warning that it is shown once. */
  text: string;
  secret: string;
  onClose: () => void;
}

/** A secret at the only moment at which anybody can see it. */
export function SecretShown({ title, text, secret, onClose }: SecretShownProps) {
  const t = useAppText();
  return (
    <Dialog
      title={title}
      onClose={onClose}
      footer={<Button onClick={onClose}>{t("programs.secret.done")}</Button>}
    >
      <div className={styles.form}>
        <Notice tone="warn" title={t("programs.secret.once")}>
          {text}
        </Notice>
        <div className={styles.secret}>
          <code dir="ltr" tabIndex={0} role="group" aria-label={title} data-autofocus className={styles.code}>
            {secret}
          </code>
          <CopyButton words text={secret} />
        </div>
      </div>
    </Dialog>
  );
}
