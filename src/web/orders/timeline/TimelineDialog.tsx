import { useState } from "react";
import { useAppText } from "../../language.tsx";
import { Dialog } from "../../ui/dialog/Dialog.tsx";
import { letterOf } from "../letter/letter.ts";
import { LetterTitle } from "../letter/LetterDialog.tsx";
import { LetterTo, LetterView } from "../letter/LetterView.tsx";
import { SaveButton } from "../letter/SaveButton.tsx";
import { type ReleasedLetter, Timeline } from "./Timeline.tsx";
import styles from "./TimelineDialog.module.css";

interface TimelineDialogProps {
  item: { id: string | undefined; site?: string; email?: string; note?: string | undefined };
  onClose: () => void;
}

/** What happened to an order; of a letter that is released there, the letter. */
export function TimelineDialog({ item, onClose }: TimelineDialogProps) {
  const t = useAppText();
  const id = item.id ?? "";
  const [letter, setLetter] = useState<ReleasedLetter>();
  const to = { site: item.site ?? `#${id}`, email: item.email, note: item.note };
  return (
    <Dialog
      wide={letter && "letter"}
      title={letter ? <LetterTitle subject={letter.subject} /> : t("timeline.title")}
      acts={letter && <SaveButton id={id} letterId={letter.letter_id} />}
      onClose={onClose}
    >
      <div className={styles.body}>
        {letter ? (
          <LetterView id={id} item={to} letter={letterOf(letter)} messages={letter.messages} />
        ) : (
          <>
            <LetterTo item={to} />
            <Timeline id={id} onLetter={setLetter} />
          </>
        )}
      </div>
    </Dialog>
  );
}
