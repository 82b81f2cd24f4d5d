import type { ComponentProps, ReactNode } from "react";
import { classNames } from "../layout/classNames.ts";
import styles from "./IconButton.module.css";

type IconButtonProps = Omit<ComponentProps<"button">, "children"> & {
  /** What it does: the accessible name, and the tooltip of the mouse. */
  label: string;
  icon: ReactNode;
};

/** A square button that shows only an icon; 44 px on phones. */
export function IconButton({ label, icon, className, type, ...rest }: IconButtonProps) {
  return (
    <button
      {...rest}
      type={type ?? "button"}
      className={classNames(styles.button, className)}
      aria-label={label}
      title={rest.title ?? label}
    >
      {icon}
    </button>
  );
}
