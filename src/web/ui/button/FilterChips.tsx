import { X } from "lucide-react";
import { useAppText } from "../../language.tsx";
import { Chip, Chips } from "./Chip.tsx";
import styles from "./FilterChips.module.css";

export interface ActiveFilter {
  readonly id: string;
  readonly label: string;
  readonly onRemove: () => void;
}

interface FilterChipsProps {
  filters: readonly ActiveFilter[];
  /** How many were found; undefined until it is known. */
  found: string | undefined;
  className?: string | undefined;
}

/** What narrows a list, each to be taken off by a press, and how much is left. */
export function FilterChips({ filters, found, className }: FilterChipsProps) {
  const t = useAppText();
  return (
    <div className={className}>
      <div className={styles.filters}>
        {filters.length > 0 && (
          <Chips label={t("filters.on")}>
            {filters.map(({ id, label, onRemove }) => (
              <Chip
                key={id}
                className={styles.filter}
                aria-label={t("filters.off", { filter: label })}
                title={t("filters.off", { filter: label })}
                onClick={onRemove}
              >
                <span className={styles.label}>
                  {label}
                  <X aria-hidden size={13} />
                </span>
              </Chip>
            ))}
          </Chips>
        )}
        <p role="status" className={styles.found}>
          {found}
        </p>
      </div>
    </div>
  );
}
