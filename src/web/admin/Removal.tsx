import { useState } from "react";
import { ConfirmDialog } from "../ui/ConfirmDialog.tsx";

interface RemovalProps {
  title: string;
  text: string;
  action: string;
  onRemove: () => Promise<void>;
  onClose: () => void;
}

/** Asks before something published is deleted, and stays until that is done. */
export function Removal({ title, text, action, onRemove, onClose }: RemovalProps) {
  const [isBusy, setBusy] = useState(false);
  const confirm = async () => {
    setBusy(true);
    await onRemove();
    onClose();
  };
  return (
    <ConfirmDialog
      title={title}
      action={action}
      busy={isBusy}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      {text}
    </ConfirmDialog>
  );
}
