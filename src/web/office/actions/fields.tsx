import type { ComponentProps } from "react";
import { useOfficeText } from "../../language.tsx";
import { TextField } from "../../ui/form/Input.tsx";

type NeededProps = Pick<
  ComponentProps<typeof TextField>,
  "name" | "label" | "hint" | "defaultValue" | "placeholder"
>;

const needed = { required: true, "data-autofocus": true, dir: "ltr", autoComplete: "off" } as const;

export function DollarsField({ onType, ...field }: NeededProps & { onType?: (typed: string) => void }) {
  return (
    <TextField
      {...needed}
      {...field}
      inputMode="decimal"
      maxLength={20}
      onChange={(event) => onType?.(event.target.value)}
    />
  );
}

export function NameField(field: NeededProps) {
  return <TextField {...needed} {...field} autoCapitalize="none" spellCheck={false} />;
}

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
