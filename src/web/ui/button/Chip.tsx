import { X } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import styles from "./Chip.module.css";
import { classNames } from "../layout/classNames.ts";

type ChipProps = Omit<ComponentProps<"button">, "type"> & {
  icon?: ReactNode;
  chosen?: boolean | undefined;
  onRemove?: (() => void) | undefined;
  removeLabel?: string;
};

export function Chip({ icon, chosen, onRemove, removeLabel, className, children, ...rest }: ChipProps) {
  return (
    <span className={classNames(styles.chip, chosen && styles.chosen, className)}>
      <button {...rest} type="button" className={styles.main} aria-pressed={chosen}>
        {icon}
        <span>{children}</span>
      </button>
      {onRemove && (
        <button
          type="button"
          className={styles.remove}
          aria-label={removeLabel}
          title={removeLabel}
          onClick={onRemove}
        >
          <X aria-hidden size={13} />
        </button>
      )}
    </span>
  );
}

export function Chips({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div role="group" aria-label={label} className={styles.row}>
      {children}
    </div>
  );
}
