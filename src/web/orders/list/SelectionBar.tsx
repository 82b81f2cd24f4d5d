import { Copy, Download, KeyRound, Undo2, X } from "lucide-react";
import { useState } from "react";
import { downloadFile } from "../../DownloadButton.tsx";
import { useAppText } from "../../language.tsx";
import { refusalText } from "../../refusalText.ts";
import { Button } from "../../ui/button/Button.tsx";
import { copyText } from "../../ui/button/clipboard.ts";
import { ConfirmDialog } from "../../ui/dialog/ConfirmDialog.tsx";
import { toast } from "../../ui/feedback/toast.ts";
import type { Item } from "./activations.ts";
import { addressesOf, codesOf, fileOf, refundable } from "./selection.ts";
import styles from "./SelectionBar.module.css";
import type { OrderList } from "./useOrderList.ts";

interface SelectionBarProps {
  items: readonly Item[];
  cancel: OrderList["cancel"];
  onClear: () => void;
}

/** What can be done with all selected rows at once. */
export function SelectionBar({ items, cancel, onClear }: SelectionBarProps) {
  const t = useAppText();
  const [isAsked, setAsked] = useState(false);
  const codes = codesOf(items);
  const waiting = refundable(items);
  const copy = (text: string) =>
    void copyText(text).then(
      () => toast("good", t("select.copied", { count: text.split("\n").length })),
      () => toast("bad", t("select.notCopied")),
    );
  return (
    <div role="group" aria-label={t("select.title")} className={styles.bar}>
      <p role="status" className={styles.count}>
        {t("select.count", { count: items.length })}
      </p>
      <Act icon={<Copy aria-hidden size={16} />} onClick={() => copy(addressesOf(items))}>
        {t("select.addresses")}
      </Act>
      <Act icon={<KeyRound aria-hidden size={16} />} disabled={codes === ""} onClick={() => copy(codes)}>
        {t("select.codes")}
      </Act>
      <Act
        icon={<Download aria-hidden size={16} />}
        onClick={() => downloadFile(new Blob([fileOf(items)], { type: "text/csv" }), "postern-selection.csv")}
      >
        {t("find.file")}
      </Act>
      <Act
        icon={<Undo2 aria-hidden size={16} />}
        disabled={waiting.length === 0}
        onClick={() => setAsked(true)}
      >
        {t("select.cancel", { count: waiting.length })}
      </Act>
      <Act icon={<X aria-hidden size={16} />} onClick={onClear}>
        {t("select.clear")}
      </Act>
      {isAsked && (
        <CancelDialog
          items={waiting}
          cancel={cancel}
          onClose={(isDone) => {
            setAsked(false);
            if (isDone) onClear();
          }}
        />
      )}
    </div>
  );
}

interface ActProps {
  icon: React.ReactNode;
  disabled?: boolean;
  onClick: () => void;
  children: React.ReactNode;
}

const Act = (props: ActProps) => <Button tone="secondary" size="small" {...props} />;

interface CancelDialogProps {
  items: readonly Item[];
  cancel: OrderList["cancel"];
  onClose: (isDone: boolean) => void;
}

function CancelDialog({ items, cancel, onClose }: CancelDialogProps) {
  const t = useAppText();
  const [isBusy, setBusy] = useState(false);
  const [asked] = useState(items);
  const all = async () => {
    setBusy(true);
    const refusals = [];
    // One after the other: a hundred at once would stop the page's other calls.
    for (const { id = "" } of asked) refusals.push(await cancel(id));
    const [refused] = refusals.filter((one) => one !== undefined);
    const count = refusals.filter((one) => one === undefined).length;
    if (count > 0) toast("good", t("select.canceled", { count }));
    if (refused) toast("bad", t("cancel.error", { reason: refusalText(t, refused) }));
    onClose(true);
  };
  return (
    <ConfirmDialog
      title={t("select.cancel", { count: asked.length })}
      action={t("cancel.do")}
      busy={isBusy}
      onConfirm={() => void all()}
      onClose={() => onClose(false)}
    >
      <p>{t("select.cancel.text")}</p>
    </ConfirmDialog>
  );
}
