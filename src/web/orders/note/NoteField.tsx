import { orderNoteLengthMax } from "../../../contract/limits.ts";
import { useAppText } from "../../language.tsx";
import { TextField } from "../../ui/form/Input.tsx";

interface NoteFieldProps {
  value: string;
  onChange: (note: string) => void;
  isFirst?: boolean;
  error?: string | undefined;
}

/** The buyer's own words for an order. */
export function NoteField({ value, onChange, isFirst, error }: NoteFieldProps) {
  const t = useAppText();
  return (
    <TextField
      label={t("note.title")}
      hint={t("note.hint")}
      error={error}
      data-autofocus={isFirst || undefined}
      dir="auto"
      autoComplete="off"
      maxLength={orderNoteLengthMax}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}
