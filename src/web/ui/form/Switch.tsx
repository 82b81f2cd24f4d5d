import type { ReactNode } from "react";
import styles from "./Switch.module.css";

interface SwitchProps {
  label: ReactNode;
  hint?: ReactNode;
  checked: boolean;
  disabled?: boolean;
  onChange: (checked: boolean) => void;
}

/** A setting that applies at once: a checkbox with the role of a switch. */
export function Switch({ label, hint, checked, disabled, onChange }: SwitchProps) {
  return (
    <label className={styles.row}>
      <span className={styles.words}>
        {label}
        {hint !== undefined && <span className={styles.hint}>{hint}</span>}
      </span>
      <input
        type="checkbox"
        role="switch"
        className={styles.switch}
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.target.checked)}
      />
    </label>
  );
}
