import { ChevronDown } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { classNames } from "../layout/classNames.ts";
import { Field } from "./Field.tsx";
import styles from "./Field.module.css";

export interface Choice {
  value: string;
  label: string;
  disabled?: boolean;
}

type SelectProps = Omit<ComponentProps<"select">, "children"> & { choices: readonly Choice[] };

export function Select({ choices, className, ...rest }: SelectProps) {
  return (
    <span className={styles.picker}>
      <select {...rest} className={classNames(styles.control, styles.select, className)}>
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value} disabled={choice.disabled}>
            {choice.label}
          </option>
        ))}
      </select>
      <ChevronDown aria-hidden size={16} className={styles.chevron} />
    </span>
  );
}

type SelectFieldProps = SelectProps & { label: string; error?: string | undefined; hint?: ReactNode };

export function SelectField({ label, error, hint, ...rest }: SelectFieldProps) {
  return (
    <Field label={label} error={error} hint={hint}>
      {(control) => <Select {...rest} {...control} />}
    </Field>
  );
}
