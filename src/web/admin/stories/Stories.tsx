import { useRef, useState } from "react";
import { useOfficeText } from "../../language.tsx";
import styles from "../Admin.module.css";
import { Removal } from "../Removal.tsx";
import { StoryForm } from "./StoryForm.tsx";
import { StoryRows } from "./StoryRows.tsx";
import { useStoryActs } from "./useStoryActs.ts";
import type { StoryDesk } from "./useStoryDesk.ts";

interface StoriesProps {
  desk: StoryDesk;
  /** Asks first when there is something unsaved. */
  ask: (go: () => void) => void;
}

/** Stories: what is written, and below it all that is published. */
export function Stories({ desk, ask }: StoriesProps) {
  const t = useOfficeText();
  const acts = useStoryActs(desk);
  const heading = useRef<HTMLHeadingElement>(null);
  // The story that is asked about before it is deleted.
  const [doomed, setDoomed] = useState<string>();
  const edit = async (id: string) => {
    await acts.open(id);
    heading.current?.focus();
  };
  return (
    <div className={styles.page}>
      <StoryForm
        desk={desk}
        isSaving={acts.isSaving}
        heading={heading}
        onSave={acts.save}
        onRemove={setDoomed}
        onFinish={() => ask(desk.reset)}
      />
      <StoryRows
        editing={desk.editing}
        onMove={(id, way) => void acts.move(id, way)}
        onMark={(id, isCritical) => void acts.mark(id, isCritical)}
        onEdit={(id) => ask(() => void edit(id))}
        onRemove={setDoomed}
      />
      {doomed !== undefined && (
        <Removal
          title={t("editor.story.delete.title")}
          text={t("editor.story.delete.text", { id: doomed })}
          action={t("editor.story.delete")}
          onRemove={() => acts.remove(doomed)}
          heading={heading}
          onClose={() => setDoomed(undefined)}
        />
      )}
    </div>
  );
}
