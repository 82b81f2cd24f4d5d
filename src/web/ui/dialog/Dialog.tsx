import { X } from "lucide-react";
import { type ReactNode, useId, useRef } from "react";
import { useText } from "../../language.tsx";
import { classNames } from "../layout/classNames.ts";
import styles from "./Dialog.module.css";
import { IconButton } from "../button/IconButton.tsx";
import { closeOnCancel, keepTabInside, useModal } from "./useModal.ts";
import { Toasts } from "../feedback/Toasts.tsx";

interface DialogProps {
  title: string;
  onClose: () => void;
  children: ReactNode;
  /** Stays at the lower edge while the content scrolls. */
  footer?: ReactNode;
  /** For letters and other wide content; the specification's 28rem else (B §9). */
  wide?: boolean | undefined;
}

/**
 * A modal dialog: closes on Escape, on the backdrop and by its button (spec B §2); keeps Tab inside and gives the
 * focus back. The element with `data-autofocus` gets the focus first.
 */
export function Dialog({ title, onClose, children, footer, wide }: DialogProps) {
  const dialog = useModal();
  const titleId = useId();
  // A press that began inside and ended on the backdrop (selecting text) must not close.
  const pressedBackdrop = useRef(false);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      className={classNames(styles.dialog, wide && styles.wide)}
      onCancel={closeOnCancel(onClose)}
      onPointerDown={(event) => {
        pressedBackdrop.current = event.target === event.currentTarget;
      }}
      onClick={(event) => {
        if (event.target === event.currentTarget && pressedBackdrop.current) onClose();
      }}
      onKeyDown={keepTabInside}
    >
      <div className={styles.frame}>
        <header className={styles.head}>
          <h2 id={titleId} className={styles.title}>
            {title}
          </h2>
          <CloseButton onClose={onClose} />
        </header>
        <div className={styles.body}>{children}</div>
        {footer !== undefined && <footer className={styles.foot}>{footer}</footer>}
      </div>
      <Toasts inDialog />
    </dialog>
  );
}

function CloseButton({ onClose }: { onClose: () => void }) {
  const t = useText();
  return <IconButton label={t("ui.close")} icon={<X aria-hidden size={18} />} onClick={onClose} />;
}
