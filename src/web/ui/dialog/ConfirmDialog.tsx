import type { ReactNode } from "react";
import { useText } from "../../language.tsx";
import { Button } from "../button/Button.tsx";
import { Dialog } from "./Dialog.tsx";

interface ConfirmDialogProps {
  title: string;
  children: ReactNode;
  action: string;
  busy: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks before an irreversible action. "Cancel" has the focus. */
export function ConfirmDialog({ title, children, action, busy, onConfirm, onClose }: ConfirmDialogProps) {
  const t = useText();
  const footer = (
    <>
      <Button tone="secondary" data-autofocus onClick={onClose}>
        {t("ui.cancel")}
      </Button>
      <Button tone="danger" busy={busy} onClick={onConfirm}>
        {action}
      </Button>
    </>
  );
  return (
    <Dialog title={title} onClose={onClose} footer={footer}>
      {children}
    </Dialog>
  );
}
