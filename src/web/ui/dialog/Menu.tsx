import type { LucideIcon } from "lucide-react";
import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { Link } from "wouter";
import { IconButton } from "../button/IconButton.tsx";
import { classNames } from "../layout/classNames.ts";
import styles from "./Menu.module.css";

export type MenuItem = {
  readonly id: string;
  readonly Icon: LucideIcon;
  readonly label: string;
  /** It takes something away: it stands last, apart from the others. */
  readonly isDangerous?: boolean;
} & ({ readonly href: string } | { readonly onPick: () => void });

interface MenuButtonProps {
  label: string;
  icon: ReactNode;
  items: readonly MenuItem[];
}

/** A button with a menu beside it: arrow keys walk through it, Escape and a press elsewhere close it. */
export function MenuButton({ label, icon, items }: MenuButtonProps) {
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <IconButton
        ref={button}
        label={label}
        icon={icon}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      />
      {isOpen && <Menu label={label} items={items} opener={button} onClose={close} />}
    </>
  );
}

interface MenuProps {
  label: string;
  items: readonly MenuItem[];
  opener: RefObject<HTMLButtonElement | null>;
  onClose: () => void;
}

function Menu({ label, items, opener, onClose }: MenuProps) {
  const menu = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (menu.current && opener.current) putBeside(menu.current, opener.current);
  }, [opener]);
  const elsewhere = useEffectEvent(({ target }: Event) => {
    const isOurs = (element: HTMLElement | null) => target instanceof Node && element?.contains(target);
    if (!isOurs(menu.current) && !isOurs(opener.current)) onClose();
  });
  // A page goes on scrolling for a moment after a press, and a list that moves takes its menu along.
  const follow = useEffectEvent(({ target }: Event) => {
    if (!menu.current || !opener.current || target === menu.current) return;
    putBeside(menu.current, opener.current);
  });
  useEffect(() => {
    menu.current?.querySelector<HTMLElement>("[role=menuitem]")?.focus({ preventScroll: true });
    const listen = (event: Event) => elsewhere(event);
    const move = (event: Event) => follow(event);
    document.addEventListener("pointerdown", listen);
    addEventListener("resize", move);
    document.addEventListener("scroll", move, true);
    return () => {
      document.removeEventListener("pointerdown", listen);
      removeEventListener("resize", move);
      document.removeEventListener("scroll", move, true);
    };
  }, []);
  const leave = () => {
    onClose();
    opener.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const all = [...event.currentTarget.querySelectorAll<HTMLElement>("[role=menuitem]")];
    const at = all.findIndex((item) => item === document.activeElement);
    const next = stepOf(event.key, at, all.length);
    if (next !== undefined) all[next]?.focus();
    else if (event.key === "Escape" || event.key === "Tab") leave();
    else return;
    if (event.key !== "Tab") event.preventDefault();
  };
  const group = (isDangerous: boolean) => items.filter((item) => (item.isDangerous === true) === isDangerous);
  return (
    <div
      ref={menu}
      popover="manual"
      role="menu"
      aria-label={label}
      tabIndex={-1}
      className={styles.menu}
      onKeyDown={onKeyDown}
    >
      {[false, true].flatMap((isDangerous) =>
        group(isDangerous).map((item) => <Item key={item.id} item={item} onLeave={leave} />),
      )}
    </div>
  );
}

function stepOf(key: string, at: number, count: number): number | undefined {
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: (at + 1) % count,
    ArrowUp: (at - 1 + count) % count,
    Home: 0,
    End: count - 1,
  };
  return steps[key];
}

function Item({ item, onLeave }: { item: MenuItem; onLeave: () => void }) {
  const { Icon, label, isDangerous } = item;
  const className = classNames(styles.item, isDangerous && styles.danger);
  const inside = (
    <>
      <Icon aria-hidden size={17} className={styles.icon} />
      {label}
    </>
  );
  if ("href" in item)
    return (
      <Link href={item.href} role="menuitem" tabIndex={-1} className={className}>
        {inside}
      </Link>
    );
  return (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      className={className}
      onClick={() => {
        // First, so that a dialog gives the focus back to the button.
        onLeave();
        item.onPick();
      }}
    >
      {inside}
    </button>
  );
}

const gap = 4;

/** Below the opener, above it where there is more room; its end is that of the opener. What does not fit is scrolled to within it. */
function putBeside(menu: HTMLElement, opener: HTMLElement): void {
  if (typeof menu.showPopover === "function" && !menu.matches(":popover-open")) menu.showPopover();
  menu.style.maxBlockSize = "";
  const { top, bottom, left, right } = opener.getBoundingClientRect();
  const { clientWidth: width, clientHeight: height } = document.documentElement;
  const isRightToLeft = getComputedStyle(opener).direction === "rtl";
  menu.style.insetInlineEnd = `${isRightToLeft ? left : width - right}px`;
  const isAbove = bottom + menu.offsetHeight + gap > height && top > height - bottom;
  menu.style.maxBlockSize = `${(isAbove ? top : height - bottom) - 2 * gap}px`;
  menu.style.insetBlockEnd = isAbove ? `${height - top + gap}px` : "";
  menu.style.insetBlockStart = isAbove ? "" : `${bottom + gap}px`;
}
