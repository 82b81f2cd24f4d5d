import type { ComponentProps, ReactNode } from "react";
import { classNames } from "../layout/classNames.ts";
import { Field } from "./Field.tsx";
import styles from "./Field.module.css";

type TextAreaFieldProps = ComponentProps<"textarea"> & {
  label: string;
  error?: string | undefined;
  hint?: ReactNode;
};

export function TextAreaField({ label, error, hint, className, ...rest }: TextAreaFieldProps) {
  return (
    <Field label={label} error={error} hint={hint}>
      {(control) => (
        <textarea {...rest} {...control} className={classNames(styles.control, styles.area, className)} />
      )}
    </Field>
  );
}
