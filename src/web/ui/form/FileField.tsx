import { Field } from "./Field.tsx";
import styles from "./FileField.module.css";
import { Exact } from "../display/Exact.tsx";

interface FileFieldProps {
  label: string;
  action: string;
  none: string;
  accept: string;
  file: File | undefined;
  onFile: (file: File | undefined) => void;
}

/** A file input with our own texts: the browser's are in its language, so the native input is invisible on top. */
export function FileField({ label, action, none, accept, file, onFile }: FileFieldProps) {
  return (
    <Field label={label}>
      {(control) => (
        <div className={styles.field}>
          <span aria-hidden className={styles.action}>
            {action}
          </span>
          <Exact aria-hidden className={styles.name}>
            {file?.name ?? none}
          </Exact>
          <input
            {...control}
            type="file"
            accept={accept}
            className={styles.input}
            onChange={(event) => onFile(event.target.files?.[0])}
          />
        </div>
      )}
    </Field>
  );
}
