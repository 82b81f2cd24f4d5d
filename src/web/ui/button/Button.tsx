import type { ComponentProps, ReactNode } from "react";
import { Link } from "wouter";
import styles from "./Button.module.css";
import { classNames } from "../layout/classNames.ts";
import { Spinner } from "../feedback/Spinner.tsx";

interface Look {
  tone?: "primary" | "secondary" | "ghost" | "danger" | undefined;
  size?: "small" | "medium" | "large" | undefined;
  wide?: boolean | undefined;
  icon?: ReactNode;
}

type ButtonProps = Look & Omit<ComponentProps<"button">, "size"> & { busy?: boolean | undefined };

/** A button; while busy it keeps its label, shows a spinner and ignores presses. */
export function Button({ tone, size, wide, icon, busy, children, className, type, ...rest }: ButtonProps) {
  return (
    <button
      {...rest}
      type={type ?? "button"}
      className={classNames(look({ tone, size, wide }), className)}
      aria-busy={busy || undefined}
      aria-disabled={busy || rest["aria-disabled"]}
      onClick={busy ? (event) => event.preventDefault() : rest.onClick}
    >
      {busy ? <Spinner /> : icon}
      <span className={styles.label}>{children}</span>
    </button>
  );
}

type LinkButtonProps = Look & {
  href: string;
  children: ReactNode;
  className?: string | undefined;
  outside?: boolean;
};

export function LinkButton({ tone, size, wide, icon, href, children, className, outside }: LinkButtonProps) {
  const inside = (
    <>
      {icon}
      <span className={styles.label}>{children}</span>
    </>
  );
  const name = classNames(look({ tone, size, wide }), className);
  if (!outside) {
    return (
      <Link href={href} className={name}>
        {inside}
      </Link>
    );
  }
  return (
    <a href={href} className={name} target="_blank" rel="noopener noreferrer">
      {inside}
    </a>
  );
}

function look({ tone = "primary", size = "medium", wide }: Look): string {
  return classNames(styles.button, styles[tone], styles[size], wide && styles.wide);
}
