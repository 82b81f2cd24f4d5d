import { CircleAlert, CircleCheck, Info, X } from "lucide-react";
import { type FocusEvent, useEffect, useId, useRef, useSyncExternalStore } from "react";
import { useText } from "../../language.tsx";
import { classNames } from "../layout/classNames.ts";
import { Button } from "../button/Button.tsx";
import { IconButton } from "../button/IconButton.tsx";
import { VisuallyHidden } from "../layout/VisuallyHidden.tsx";
import { act, dialogPlaces, dismiss, hold, readAnnouncements, type Toast, toastStore } from "./toast.ts";
import styles from "./Toasts.module.css";

const icons = { info: Info, good: CircleCheck, bad: CircleAlert };
const none: readonly never[] = [];

/**
 * The place of toasts, in the layout and in each dialog, because a modal dialog makes the rest inert. Only
 * the last place shows them. An announcement stays in its place, or it would be spoken again. A popover, to
 * be on top; never hidden, or live regions stay silent.
 */
export function Toasts({ inDialog = false }: { inDialog?: boolean }) {
  const t = useText();
  const shown = useSyncExternalStore<readonly Toast[]>(toastStore.subscribe, toastStore.read, () => none);
  const announced = useSyncExternalStore(toastStore.subscribe, readAnnouncements, () => none);
  const { mine, isLast } = usePlace(inDialog);
  const toasts = isLast ? shown : none;
  const place = useRef<HTMLDivElement>(null);
  const before = useRef<EventTarget>(null);
  const come = ({ relatedTarget, currentTarget }: FocusEvent<HTMLElement>) => {
    hold(true);
    if (!currentTarget.contains(relatedTarget as Node | null)) before.current = relatedTarget;
  };
  const end = (id: number, how: (id: number) => void) => {
    if (before.current instanceof HTMLElement) before.current.focus({ preventScroll: true });
    how(id);
  };
  // Shows the popover again, so that it is on top of newer dialogs.
  useEffect(() => {
    const element = place.current;
    if (!element?.showPopover) return;
    if (element.matches(":popover-open")) element.hidePopover();
    if (toasts.length > 0) element.showPopover();
  }, [toasts]);
  return (
    <div aria-live="polite" className={styles.spoken}>
      {announced
        .filter(({ place: where }) => where === mine)
        .map(({ id, text }) => (
          <VisuallyHidden key={id}>{text} </VisuallyHidden>
        ))}
      <div
        ref={place}
        popover="manual"
        role="region"
        aria-label={t("ui.toasts")}
        className={styles.place}
        onFocus={come}
        onBlur={() => hold(false)}
      >
        {toasts.map((one) => (
          <ShownToast key={one.id} toast={one} end={end} />
        ))}
      </div>
    </div>
  );
}

interface ShownToastProps {
  toast: Toast;
  end: (id: number, how: (id: number) => void) => void;
}

function ShownToast({ toast: { id, tone, text, action }, end }: ShownToastProps) {
  const t = useText();
  const Icon = icons[tone];
  return (
    <div className={classNames(styles.toast, styles[tone])}>
      <Icon aria-hidden size={18} className={styles.icon} />
      <span className={styles.text}>{text}</span>
      {action && (
        <Button tone="secondary" size="small" onClick={() => end(id, act)}>
          {action.label}
        </Button>
      )}
      <IconButton label={t("ui.close")} icon={<X aria-hidden size={16} />} onClick={() => end(id, dismiss)} />
    </div>
  );
}

function usePlace(inDialog: boolean): { mine: string | undefined; isLast: boolean } {
  const id = useId();
  const mine = inDialog ? id : undefined;
  // Only the order of opening tells which dialog is topmost.
  useEffect(() => (mine === undefined ? undefined : dialogPlaces.open(mine)), [mine]);
  const last = useSyncExternalStore(dialogPlaces.subscribe, dialogPlaces.last, () => undefined);
  return { mine, isLast: last === mine };
}
