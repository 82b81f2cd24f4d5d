import { type RefObject, useState } from "react";
import { flushSync } from "react-dom";
import { ConfirmDialog } from "../ui/dialog/ConfirmDialog.tsx";

interface ConfirmRemovalProps {
  title: string;
  text: string;
  action: string;
  /** Of the form beside the rows. */
  heading: RefObject<HTMLElement | null>;
  onRemove: () => Promise<void>;
  onClose: () => void;
}

/** Asks before something published is deleted, and stays until that is done. */
export function ConfirmRemoval({ title, text, action, heading, onRemove, onClose }: ConfirmRemovalProps) {
  const [isBusy, setBusy] = useState(false);
  const close = () => {
    // The dialog gives the focus back; where its button went with the row, the heading takes it.
    flushSync(onClose);
    if (document.activeElement === document.body) heading.current?.focus();
  };
  const confirm = async () => {
    setBusy(true);
    await onRemove();
    close();
  };
  return (
    <ConfirmDialog
      title={title}
      action={action}
      busy={isBusy}
      onConfirm={() => void confirm()}
      onClose={close}
    >
      {text}
    </ConfirmDialog>
  );
}
