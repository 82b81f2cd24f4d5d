import { useAppText } from "../../language.tsx";
import styles from "../list/Row.module.css";

/** The note of a row, in its own direction; pressed, it can be changed. */
export function RowNote({ note = "", onPress }: { note?: string | undefined; onPress: () => void }) {
  const t = useAppText();
  if (note === "") return null;
  return (
    <button type="button" dir="auto" title={t("note.change")} className={styles.note} onClick={onPress}>
      {note}
    </button>
  );
}
