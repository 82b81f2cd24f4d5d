import type { ComponentProps, ReactNode } from "react";
import { classes } from "./classes.ts";
import { Field } from "./Field.tsx";
import styles from "./Field.module.css";

type AreaFieldProps = ComponentProps<"textarea"> & {
  label: string;
  error?: string | undefined;
  hint?: ReactNode;
};

/** A labelled text of several lines. */
export function AreaField({ label, error, hint, className, ...rest }: AreaFieldProps) {
  return (
    <Field label={label} error={error} hint={hint}>
      {(control) => (
        <textarea {...rest} {...control} className={classes(styles.control, styles.area, className)} />
      )}
    </Field>
  );
}
