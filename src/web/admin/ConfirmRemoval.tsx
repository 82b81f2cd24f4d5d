import { type RefObject } from "react";
import { flushSync } from "react-dom";
import { ConfirmDialog } from "../ui/dialog/ConfirmDialog.tsx";
import { useBusy } from "../useBusy.ts";

interface ConfirmRemovalProps {
  title: string;
  text: string;
  action: string;
  heading: RefObject<HTMLElement | null>;
  onRemove: () => Promise<void>;
  onClose: () => void;
}

export function ConfirmRemoval({ title, text, action, heading, onRemove, onClose }: ConfirmRemovalProps) {
  const [isBusy, whileBusy] = useBusy();
  const close = () => {
    // The dialog returns the focus to its button; the heading takes it when the button went with the row.
    flushSync(onClose);
    if (document.activeElement === document.body) heading.current?.focus();
  };
  const confirm = async () => {
    await whileBusy(onRemove);
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
