import { CircleAlert, CircleCheck, Info, X } from "lucide-react";
import { useEffect, useRef, useSyncExternalStore } from "react";
import { useText } from "../language.tsx";
import { classes } from "./classes.ts";
import { IconButton } from "./IconButton.tsx";
import { dismiss, type Toast, toastStore } from "./toast.ts";
import styles from "./Toasts.module.css";

const icons = { info: Info, good: CircleCheck, bad: CircleAlert };
const none: readonly Toast[] = [];

/** Where toasts appear; once, in the layout. A popover, so that it lies above an open dialog too. */
export function Toasts() {
  const t = useText();
  const toasts = useSyncExternalStore(toastStore.subscribe, toastStore.read, () => none);
  const place = useRef<HTMLDivElement>(null);
  // The popover joins the top layer anew with each toast; there is no declarative way.
  useEffect(() => {
    const element = place.current;
    if (!element?.showPopover) return;
    if (element.matches(":popover-open")) element.hidePopover();
    if (toasts.length > 0) element.showPopover();
  }, [toasts]);
  return (
    <div
      ref={place}
      popover="manual"
      role="region"
      aria-label={t("ui.toasts")}
      aria-live="polite"
      className={styles.place}
    >
      {toasts.map((shown) => {
        const Icon = icons[shown.tone];
        return (
          <div key={shown.id} className={classes(styles.toast, styles[shown.tone])}>
            <Icon aria-hidden size={18} className={styles.icon} />
            <span className={styles.text}>{shown.text}</span>
            <IconButton
              label={t("ui.close")}
              icon={<X aria-hidden size={16} />}
              onClick={() => dismiss(shown.id)}
            />
          </div>
        );
      })}
    </div>
  );
}
