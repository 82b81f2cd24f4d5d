import { X } from "lucide-react";
import { type ReactNode, useId, useRef } from "react";
import { useText } from "../../language.tsx";
import { classNames } from "../layout/classNames.ts";
import styles from "./Dialog.module.css";
import { IconButton } from "../button/IconButton.tsx";
import { closeOnCancel, keepTabInside, useModal } from "./useModal.ts";
import { Toasts } from "../feedback/Toasts.tsx";

interface DialogFrameProps {
  title: ReactNode;
  /** What else can be done, before the button that closes. */
  acts?: ReactNode;
  onClose: () => void;
  children: ReactNode;
  footer?: ReactNode;
}

interface DialogProps extends DialogFrameProps {
  /** For wide content; default 28rem (spec B §9). `letter` has 90 % of the window too, on a phone all of it. */
  wide?: boolean | "letter" | undefined;
}

/** A modal dialog: closes on Escape, backdrop and button (spec B §2); keeps Tab inside. `data-autofocus` gets the focus first. */
export function Dialog({ wide, ...rest }: DialogProps) {
  const { onClose } = rest;
  const dialog = useModal();
  const titleId = useId();
  // A press that began inside (selecting text) and ended on the backdrop must not close.
  const pressedBackdrop = useRef(false);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      className={classNames(styles.dialog, wide && styles.wide, wide === "letter" && styles.letter)}
      onCancel={closeOnCancel(onClose)}
      onPointerDown={(event) => {
        pressedBackdrop.current = event.target === event.currentTarget;
      }}
      onClick={(event) => {
        if (event.target === event.currentTarget && pressedBackdrop.current) onClose();
      }}
      onKeyDown={keepTabInside}
    >
      <DialogFrame titleId={titleId} {...rest} />
      <Toasts inDialog />
    </dialog>
  );
}

/** Title, acts and content; also of what looks like a dialog and is none. */
export function DialogFrame({
  titleId,
  title,
  acts,
  onClose,
  children,
  footer,
}: DialogFrameProps & { titleId: string }) {
  return (
    <div className={styles.frame}>
      {/* Not header and footer: outside a section those are landmarks of the page. */}
      <div className={styles.head}>
        <h2 id={titleId} className={styles.title}>
          {title}
        </h2>
        <div className={styles.acts}>
          {acts}
          <CloseButton onClose={onClose} />
        </div>
      </div>
      <div className={styles.body}>{children}</div>
      {footer !== undefined && <div className={styles.foot}>{footer}</div>}
    </div>
  );
}

function CloseButton({ onClose }: { onClose: () => void }) {
  const t = useText();
  return <IconButton label={t("ui.close")} icon={<X aria-hidden size={18} />} onClick={onClose} />;
}
