import type { ComponentProps } from "react";
import styles from "./Card.module.css";
import { classNames } from "./classNames.ts";

type CardProps = ComponentProps<"section"> & {
  /** No padding: for tables and lists that go to the edge. */
  flush?: boolean;
};

/** A sheet of paper on the page. */
export function Card({ flush, className, ...rest }: CardProps) {
  return <section {...rest} className={classNames(styles.card, flush && styles.flush, className)} />;
}
