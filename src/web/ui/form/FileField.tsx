import { Field } from "./Field.tsx";
import styles from "./FileField.module.css";

interface FileFieldProps {
  label: string;
  /** What is on the button. */
  action: string;
  /** What stands beside it while nothing is chosen. */
  none: string;
  accept: string;
  file: File | undefined;
  onFile: (file: File | undefined) => void;
}

/** A field for a file. The words of the browser's own are in its language, not in the page's: they lie unseen above ours. */
export function FileField({ label, action, none, accept, file, onFile }: FileFieldProps) {
  return (
    <Field label={label}>
      {(control) => (
        <div className={styles.field}>
          <span aria-hidden className={styles.action}>
            {action}
          </span>
          <bdi aria-hidden className={styles.name}>
            {file?.name ?? none}
          </bdi>
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
