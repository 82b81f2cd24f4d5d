import type { ComponentProps } from "react";
import styles from "./Card.module.css";
import { classNames } from "./classNames.ts";

type CardProps = ComponentProps<"section"> & {
  flush?: boolean;
};

export function Card({ flush, className, ...rest }: CardProps) {
  return <section {...rest} className={classNames(styles.card, flush && styles.flush, className)} />;
}
