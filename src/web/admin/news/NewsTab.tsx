import { useRef, useState } from "react";
import { isolated } from "../../format.ts";
import { useOfficeText } from "../../language.tsx";
import styles from "../Admin.module.css";
import { ConfirmRemoval } from "../ConfirmRemoval.tsx";
import { NewsForm } from "./NewsForm.tsx";
import { NewsRows } from "./NewsRows.tsx";
import { type NewsEditor, useNewsActions } from "./useNewsEditor.ts";

interface NewsTabProps {
  editor: NewsEditor;
  ask: (go: () => void) => void;
}

export function NewsTab({ editor, ask }: NewsTabProps) {
  const t = useOfficeText();
  const actions = useNewsActions(editor);
  const heading = useRef<HTMLHeadingElement>(null);
  const [removing, setRemoving] = useState<string>();
  const edit = async (id: string) => {
    await actions.open(id);
    heading.current?.focus();
  };
  return (
    <div className={styles.news}>
      <NewsForm
        editor={editor}
        isSaving={actions.isSaving}
        heading={heading}
        onSave={actions.save}
        onRemove={setRemoving}
        onFinish={() => ask(editor.reset)}
      />
      <NewsRows
        editing={editor.editing}
        onMove={(item, way) => void actions.move(item, way)}
        onEdit={(id) => ask(() => void edit(id))}
        onRemove={setRemoving}
      />
      {removing !== undefined && (
        <ConfirmRemoval
          title={t("editor.news.delete.title", { id: isolated(removing) })}
          text={t("editor.news.delete.text")}
          action={t("editor.news.delete")}
          onRemove={() => actions.remove(removing)}
          heading={heading}
          onClose={() => setRemoving(undefined)}
        />
      )}
    </div>
  );
}
