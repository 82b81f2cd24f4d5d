import type { ReactNode } from "react";
import { closeOnCancel, keepTabInside, useModal } from "../ui/dialog/useModal.ts";
import { Toasts } from "../ui/feedback/Toasts.tsx";
import styles from "./ViewerFrame.module.css";

interface ViewerFrameProps {
  label: string;
  onClose: () => void;
  children: ReactNode;
}

export function ViewerFrame({ label, onClose, children }: ViewerFrameProps) {
  const dialog = useModal();
  return (
    <dialog
      ref={dialog}
      aria-label={label}
      className={styles.frame}
      onCancel={closeOnCancel(onClose)}
      onClick={(event) => {
        if (event.target === event.currentTarget) onClose();
      }}
      onKeyDown={keepTabInside}
    >
      {children}
      <Toasts inDialog />
    </dialog>
  );
}
