import { useRef, useState } from "react";
import { useOfficeText } from "../../language.tsx";
import styles from "../Admin.module.css";
import { ConfirmRemoval } from "../ConfirmRemoval.tsx";
import { StoryForm } from "./StoryForm.tsx";
import { StoryRows } from "./StoryRows.tsx";
import { useStoryActions } from "./useStoryActions.ts";
import type { StoryEditor } from "./useStoryEditor.ts";

interface StoriesTabProps {
  editor: StoryEditor;
  ask: (go: () => void) => void;
}

export function StoriesTab({ editor, ask }: StoriesTabProps) {
  const t = useOfficeText();
  const actions = useStoryActions(editor);
  const heading = useRef<HTMLHeadingElement>(null);
  const [removing, setRemoving] = useState<string>();
  const edit = async (id: string) => {
    await actions.open(id);
    heading.current?.focus();
  };
  return (
    <div className={styles.page}>
      <StoryForm
        editor={editor}
        isSaving={actions.isSaving}
        heading={heading}
        onSave={actions.save}
        onRemove={setRemoving}
        onFinish={() => ask(editor.reset)}
      />
      <StoryRows
        editing={editor.editing}
        onMove={(id, way) => void actions.move(id, way)}
        onMark={(id, isCritical) => void actions.mark(id, isCritical)}
        onEdit={(id) => ask(() => void edit(id))}
        onRemove={setRemoving}
      />
      {removing !== undefined && (
        <ConfirmRemoval
          title={t("editor.story.delete.title")}
          text={t("editor.story.delete.text", { id: removing })}
          action={t("editor.story.delete")}
          onRemove={() => actions.remove(removing)}
          heading={heading}
          onClose={() => setRemoving(undefined)}
        />
      )}
    </div>
  );
}
