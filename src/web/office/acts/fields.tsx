import { useOfficeText } from "../../language.tsx";
import { TextField } from "../../ui/Input.tsx";

interface DollarsFieldProps {
  name: string;
  label: string;
  hint?: string;
  defaultValue?: string | undefined;
  onType?: (typed: string) => void;
}

/** An amount of dollars as its decimals are typed; the server says what is wrong with it. */
export function DollarsField({ name, label, hint, defaultValue, onType }: DollarsFieldProps) {
  return (
    <TextField
      required
      data-autofocus
      name={name}
      label={label}
      hint={hint}
      defaultValue={defaultValue}
      inputMode="decimal"
      dir="ltr"
      maxLength={20}
      autoComplete="off"
      onChange={(event) => onType?.(event.target.value)}
    />
  );
}

interface NameFieldProps {
  name: string;
  label: string;
  hint?: string;
  defaultValue?: string;
  placeholder?: string;
}

/** The name of a domain, or several: left to right in every language, and nothing that a phone corrects. */
export function NameField({ name, label, hint, defaultValue, placeholder }: NameFieldProps) {
  return (
    <TextField
      required
      data-autofocus
      name={name}
      label={label}
      hint={hint}
      defaultValue={defaultValue}
      placeholder={placeholder}
      dir="ltr"
      autoCapitalize="none"
      spellCheck={false}
      autoComplete="off"
    />
  );
}

/** A whole number; `max` as the contract has it. */
export function NumberField({
  name,
  label,
  max,
  required = false,
  defaultValue,
}: {
  name: string;
  label: string;
  max: number;
  required?: boolean;
  defaultValue?: number | undefined;
}) {
  const t = useOfficeText();
  return (
    <TextField
      required={required}
      name={name}
      label={required ? label : t("office.optional", { name: label })}
      type="number"
      min={1}
      max={max}
      defaultValue={defaultValue}
      inputMode="numeric"
      dir="ltr"
    />
  );
}

/** A name under which an act is done once, however often it is sent. */
export const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join(
    "",
  );
