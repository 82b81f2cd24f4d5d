import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api, type Refused } from "../../api.ts";
import { useAppText } from "../../language.tsx";
import { refusalText } from "../../refusalText.ts";
import { Button } from "../../ui/button/Button.tsx";
import { Dialog } from "../../ui/dialog/Dialog.tsx";
import { useBusy } from "../../useBusy.ts";
import { LetterTo } from "../letter/LetterView.tsx";
import styles from "../form/ReorderDialog.module.css";
import { NoteField } from "./NoteField.tsx";

interface NoteDialogProps {
  item: { id: string | undefined; site: string; email: string; note?: string | undefined };
  onClose: () => void;
}

/** Writes, changes or removes the note of an order. */
export function NoteDialog({ item, onClose }: NoteDialogProps) {
  const t = useAppText();
  const client = useQueryClient();
  const { id = "", site, email } = item;
  const [note, setNote] = useState(item.note ?? "");
  const [isBusy, whileBusy] = useBusy();
  const [refused, setRefused] = useState<Refused<string>>();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    const answer = await whileBusy(() => api.noteOrder({ id, note }));
    if (!answer.ok) return setRefused(answer);
    void client.invalidateQueries();
    onClose();
  };
  return (
    <Dialog title={t("note.title")} onClose={onClose}>
      <form noValidate onSubmit={(event) => void submit(event)} className={styles.form}>
        <LetterTo item={{ site, email }} />
        <NoteField isFirst value={note} onChange={setNote} error={refused && refusalText(t, refused)} />
        <Button type="submit" wide size="large" busy={isBusy}>
          {t("note.save")}
        </Button>
      </form>
    </Dialog>
  );
}
