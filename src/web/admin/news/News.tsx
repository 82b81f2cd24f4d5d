import { useRef, useState } from "react";
import { isolated } from "../../format.ts";
import { useOfficeText } from "../../language.tsx";
import styles from "../Admin.module.css";
import { Removal } from "../Removal.tsx";
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
  const t = useOfficeText();
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
          title={t("editor.news.delete.title", { id: isolated(doomed) })}
          text={t("editor.news.delete.text")}
          action={t("editor.news.delete")}
          onRemove={() => acts.remove(doomed)}
          heading={heading}
          onClose={() => setDoomed(undefined)}
        />
      )}
    </div>
  );
}
