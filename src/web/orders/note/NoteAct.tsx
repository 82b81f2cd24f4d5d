import { NotebookPen } from "lucide-react";
import { useAppText } from "../../language.tsx";
import { RowAct } from "../acts/RowAct.tsx";

/** The act of a row that writes or changes its note. */
export function NoteAct({ note, onPress }: { note: string | undefined; onPress: () => void }) {
  const t = useAppText();
  return (
    <RowAct
      words={t(note === undefined ? "note.add" : "note.change")}
      icon={<NotebookPen aria-hidden size={16} />}
      onClick={onPress}
    />
  );
}
