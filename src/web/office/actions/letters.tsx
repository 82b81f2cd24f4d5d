import { MailOpen, MailPlus, MailSearch } from "lucide-react";
import { type FormEvent, useId, useState } from "react";
import { useOfficeText } from "../../language.tsx";
import { Button } from "../../ui/button/Button.tsx";
import { Dialog } from "../../ui/dialog/Dialog.tsx";
import { TextField } from "../../ui/form/Input.tsx";
import type { RowAction } from "../table/RowActions.tsx";
import type { Row } from "../table/tableState.ts";
import type { TableAction } from "../table/TableView.tsx";
import { formText } from "../formText.ts";
import styles from "./Actions.module.css";
import { LetterDetails } from "./LetterDetails.tsx";
import { addSenders } from "./sites.tsx";

function FindLetter({ onClose }: { onClose: () => void }) {
  const t = useOfficeText();
  const form = useId();
  const [isWrong, setWrong] = useState(false);
  const [id, setId] = useState<string>();
  if (id !== undefined) return <LetterDetails id={id} onClose={onClose} />;
  const look = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const number = formText(new FormData(event.currentTarget), "id").replace(/^#/, "");
    if (/^[0-9]{1,18}$/.test(number)) setId(number);
    else setWrong(true);
  };
  const footer = (
    <>
      <Button tone="secondary" onClick={onClose}>
        {t("ui.cancel")}
      </Button>
      <Button type="submit" form={form}>
        {t("office.letter.find")}
      </Button>
    </>
  );
  return (
    <Dialog title={t("office.letter.find")} onClose={onClose} footer={footer}>
      <form noValidate id={form} className={styles.form} onSubmit={look}>
        <p className={styles.says}>{t("office.letter.find.says")}</p>
        <TextField
          required
          data-autofocus
          name="id"
          label={t("office.letter.number")}
          error={isWrong ? t("office.letter.number.wrong") : undefined}
          inputMode="numeric"
          dir="ltr"
          maxLength={19}
          autoComplete="off"
        />
      </form>
    </Dialog>
  );
}

export const letterTableActions: readonly TableAction[] = [
  { label: "office.letter.find", Icon: MailSearch, Dialog: FindLetter },
];

export const letterActions: readonly RowAction<Row<"turned_away">>[] = [
  addSenders(MailPlus, ({ site, sender }) => ({ site, domains: sender })),
  {
    label: "office.letter.look",
    Icon: MailSearch,
    fits: ({ letter }) => letter !== null,
    Dialog: ({ row, onClose }) => <LetterDetails id={row.letter ?? ""} onClose={onClose} />,
  },
];

export const postmasterActions: readonly RowAction<{ id: string }>[] = [
  {
    label: "office.letter.read",
    Icon: MailOpen,
    Dialog: ({ row, onClose }) => <LetterDetails id={row.id} onClose={onClose} />,
  },
];
