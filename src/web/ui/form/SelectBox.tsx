import styles from "./SelectBox.module.css";

interface SelectBoxProps {
  label: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

/** Selects a row of a list or table, or all of them. */
export function SelectBox({ label, checked, onChange }: SelectBoxProps) {
  return (
    <input
      type="checkbox"
      aria-label={label}
      className={styles.box}
      checked={checked}
      onChange={({ target }) => onChange(target.checked)}
    />
  );
}
