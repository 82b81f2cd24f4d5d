import type { ReactNode } from "react";
import styles from "./Badge.module.css";
import { classNames } from "../layout/classNames.ts";
import tones from "./tones.module.css";

export type Tone = "plain" | "accent" | "good" | "bad" | "warn";

export function Badge({
  tone = "plain",
  icon,
  after,
  children,
}: {
  tone?: Tone;
  icon?: ReactNode;
  after?: ReactNode;
  children: ReactNode;
}) {
  return (
    <span translate="no" className={classNames(styles.badge, tones[tone])}>
      {icon}
      <span>{children}</span>
      {after}
    </span>
  );
}
