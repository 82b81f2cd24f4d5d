import { CircleAlert, CircleCheck, Info, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { classNames } from "../layout/classNames.ts";
import styles from "./Notice.module.css";
import tones from "./tones.module.css";

const icons = { info: Info, good: CircleCheck, warn: TriangleAlert, bad: CircleAlert };

interface NoticeProps {
  tone?: keyof typeof icons;
  title?: string;
  children?: ReactNode;
  action?: ReactNode;
}

/** A message inside the page. A bad one is an alert, the others are polite. */
export function Notice({ tone = "info", title, children, action }: NoticeProps) {
  const Icon = icons[tone];
  return (
    <div
      role={tone === "bad" ? "alert" : "status"}
      className={classNames(styles.notice, tone === "info" ? styles.info : tones[tone])}
    >
      <Icon aria-hidden size={18} className={styles.icon} />
      <div className={styles.text}>
        {title !== undefined && <p className={styles.title}>{title}</p>}
        {children !== undefined && <div>{children}</div>}
        {action}
      </div>
    </div>
  );
}
