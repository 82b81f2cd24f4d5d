import type { ComponentProps, ReactNode } from "react";
import { Exact } from "../../ui/display/Exact.tsx";
import { Spinner } from "../../ui/feedback/Spinner.tsx";
import { classNames } from "../../ui/layout/classNames.ts";
import styles from "./RowActs.module.css";

interface RowActProps extends Omit<ComponentProps<"button">, "type" | "children"> {
  icon: ReactNode;
  words: string;
  /** What it costs, as text. */
  price?: string | undefined;
  busy?: boolean;
}

/** One act of a row: an icon that says its words on hover and focus; in the menu of a narrow list, both. */
export function RowAct({ icon, words, price, busy = false, className, ...rest }: RowActProps) {
  return (
    <button
      {...rest}
      type="button"
      className={classNames(styles.act, className)}
      aria-busy={busy || undefined}
    >
      {busy ? <Spinner size={16} /> : icon}
      <span className={styles.words}>
        <span>{words}</span>
        {price !== undefined && (
          <>
            {" "}
            <Exact className={styles.price}>{price}</Exact>
          </>
        )}
      </span>
    </button>
  );
}
