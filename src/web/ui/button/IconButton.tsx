import type { ComponentProps, ReactNode } from "react";
import { classNames } from "../layout/classNames.ts";
import styles from "./IconButton.module.css";

type IconButtonProps = Omit<ComponentProps<"button">, "children"> & {
  label: string;
  icon: ReactNode;
};

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
