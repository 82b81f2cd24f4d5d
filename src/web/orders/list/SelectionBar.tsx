import { Copy, Download, KeyRound, Undo2, X } from "lucide-react";
import { downloadFile } from "../../DownloadButton.tsx";
import { useAppText } from "../../language.tsx";
import { Button } from "../../ui/button/Button.tsx";
import { copyText } from "../../ui/button/clipboard.ts";
import { toast } from "../../ui/feedback/toast.ts";
import type { Item } from "./activations.ts";
import { addressesOf, codesOf, fileOf, refundable } from "./selection.ts";
import styles from "./SelectionBar.module.css";
import type { OrderList } from "./useOrderList.ts";

interface SelectionBarProps extends Pick<OrderList, "canceling" | "cancel"> {
  items: readonly Item[];
  onClear: () => void;
}

/** What can be done with all selected rows at once. */
export function SelectionBar({ items, canceling, cancel, onClear }: SelectionBarProps) {
  const t = useAppText();
  const codes = codesOf(items);
  const waiting = refundable(items).filter(({ id = "" }) => !canceling.has(id));
  const copy = (text: string) =>
    void copyText(text).then(
      () => toast("good", t("select.copied", { count: text.split("\n").length })),
      () => toast("bad", t("ui.notCopied")),
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
        onClick={() => {
          cancel(waiting);
          onClear();
        }}
      >
        {t("select.cancel", { count: waiting.length })}
      </Act>
      <Act icon={<X aria-hidden size={16} />} onClick={onClear}>
        {t("select.clear")}
      </Act>
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
