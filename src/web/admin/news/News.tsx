import { useRef, useState } from "react";
import { flushSync } from "react-dom";
import { isolated } from "../../format.ts";
import { useOfficeText } from "../../language.tsx";
import { ConfirmDialog } from "../../ui/ConfirmDialog.tsx";
import styles from "../Admin.module.css";
import { NewsForm } from "./NewsForm.tsx";
import { NewsRows } from "./NewsRows.tsx";
import { type NewsDesk, useNewsActs } from "./useNewsDesk.ts";

interface NewsProps {
  desk: NewsDesk;
  /** Asks first when there is something unsaved. */
  ask: (go: () => void) => void;
}

/** Main news: what is written, and beside it all that is announced. */
export function News({ desk, ask }: NewsProps) {
  const acts = useNewsActs(desk);
  const heading = useRef<HTMLHeadingElement>(null);
  // The announcement that is asked about before it is deleted.
  const [doomed, setDoomed] = useState<string>();
  const edit = async (id: string) => {
    await acts.open(id);
    heading.current?.focus();
  };
  return (
    <div className={styles.news}>
      <NewsForm
        desk={desk}
        isSaving={acts.isSaving}
        heading={heading}
        onSave={acts.save}
        onRemove={setDoomed}
        onFinish={() => ask(desk.reset)}
      />
      <NewsRows
        editing={desk.editing}
        onMove={(item, way) => void acts.move(item, way)}
        onEdit={(id) => ask(() => void edit(id))}
        onRemove={setDoomed}
      />
      {doomed !== undefined && (
        <Removal
          id={doomed}
          onRemove={acts.remove}
          onClose={() => {
            // The dialog gives the focus back; where its button went with the row, the heading takes it.
            flushSync(() => setDoomed(undefined));
            if (document.activeElement === document.body) heading.current?.focus();
          }}
        />
      )}
    </div>
  );
}

interface RemovalProps {
  id: string;
  onRemove: (id: string) => Promise<void>;
  onClose: () => void;
}

function Removal({ id, onRemove, onClose }: RemovalProps) {
  const t = useOfficeText();
  const [isBusy, setBusy] = useState(false);
  const confirm = async () => {
    setBusy(true);
    await onRemove(id);
    onClose();
  };
  return (
    <ConfirmDialog
      title={t("editor.news.delete.title", { id: isolated(id) })}
      action={t("editor.news.delete")}
      busy={isBusy}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      {t("editor.news.delete.text")}
    </ConfirmDialog>
  );
}
