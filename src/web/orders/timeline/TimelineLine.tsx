import {
  CircleDollarSign,
  CircleX,
  type LucideIcon,
  MailCheck,
  MailOpen,
  MailX,
  ShoppingBag,
  TimerOff,
  Undo2,
} from "lucide-react";
import type { ReactNode } from "react";
import { moment } from "../../format.ts";
import { Exact } from "../../ui/display/Exact.tsx";
import tones from "../../ui/feedback/tones.module.css";
import { classNames } from "../../ui/layout/classNames.ts";
import type { Step, toneOf } from "./timeline.ts";
import styles from "./TimelineDialog.module.css";

interface TimelineLineProps {
  Icon: LucideIcon;
  tone: ReturnType<typeof toneOf>;
  title: string;
  /** Unix seconds. */
  at?: number;
  children?: ReactNode;
}

/** One step of a timeline, or what it waits for. */
export function TimelineLine({ Icon, tone, title, at, children }: TimelineLineProps) {
  return (
    <li className={styles.step}>
      <span className={classNames(styles.icon, tones[tone])}>
        <Icon aria-hidden size={16} />
      </span>
      <div className={styles.what}>
        <p className={styles.head}>
          <span className={styles.title}>{title}</span>
          {at !== undefined && (
            <time dateTime={new Date(at * 1000).toISOString()} className={styles.time}>
              <Exact>{moment(at, "seconds")}</Exact>
            </time>
          )}
        </p>
        {children}
      </div>
    </li>
  );
}

export function iconOf({ step, fits }: Step): LucideIcon {
  const icons = {
    ordered: ShoppingBag,
    letter: fits === false ? MailX : MailCheck,
    charged: CircleDollarSign,
    released: MailOpen,
    canceled: CircleX,
    expired: TimerOff,
    refunded: Undo2,
  } satisfies Record<Step["step"], LucideIcon>;
  return icons[step];
}
