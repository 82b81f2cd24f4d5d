import type { LucideIcon } from "lucide-react";
import { type KeyboardEvent, useEffect, useId, useState } from "react";
import { Dialog } from "../ui/dialog/Dialog.tsx";
import styles from "./Palette.module.css";

export interface PaletteItem {
  /** Stays the same while other items come and go. */
  readonly id: string;
  readonly Icon: LucideIcon;
  /** "Order", "Page": what is picked. */
  readonly kind: string;
  readonly title: string;
  readonly note?: string | undefined;
  readonly pick: () => void;
}

interface PaletteProps {
  label: string;
  hint: string;
  text: string;
  onText: (text: string) => void;
  items: readonly PaletteItem[];
  /** Said below the list: that something is on its way, or that there is nothing. */
  status: string;
  onClose: () => void;
}

/** One field for all that can be found or done, by keyboard alone if one likes. Whoever shows it decides what a text finds. */
export function Palette({ label, hint, text, onText, items, status, onClose }: PaletteProps) {
  const id = useId();
  const [chosenId, setChosenId] = useState<string>();
  const at = Math.max(
    0,
    items.findIndex((item) => item.id === chosenId),
  );
  const choose = (place: number) => setChosenId(items[Math.min(Math.max(place, 0), items.length - 1)]?.id);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "ArrowDown") choose(at + 1);
    else if (event.key === "ArrowUp") choose(at - 1);
    else if (event.key === "Enter") items[at]?.pick();
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title={label} wide onClose={onClose}>
      <input
        data-autofocus
        type="text"
        role="combobox"
        aria-label={label}
        aria-expanded={items.length > 0}
        aria-controls={`${id}-items`}
        aria-activedescendant={items.length > 0 ? `${id}-${at}` : undefined}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        dir="auto"
        maxLength={200}
        placeholder={hint}
        className={styles.input}
        value={text}
        onChange={(event) => {
          onText(event.target.value);
          setChosenId(undefined);
        }}
        onKeyDown={onKeyDown}
      />
      <div id={`${id}-items`} role="listbox" aria-label={label} className={styles.items}>
        {items.map((item, place) => (
          <Item key={item.id} id={`${id}-${place}`} item={item} isChosen={place === at} />
        ))}
      </div>
      <p role="status" className={styles.status}>
        {status}
      </p>
    </Dialog>
  );
}

function Item({ id, item, isChosen }: { id: string; item: PaletteItem; isChosen: boolean }) {
  const { Icon, kind, title, note, pick } = item;
  const scroll = (row: HTMLElement | null) => {
    if (isChosen) row?.scrollIntoView({ block: "nearest" });
  };
  return (
    // The keyboard is the input's, which names the chosen item.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <div id={id} ref={scroll} role="option" aria-selected={isChosen} className={styles.item} onClick={pick}>
      <Icon aria-hidden size={17} className={styles.icon} />
      <bdi className={styles.title}>{title}</bdi>
      {note !== undefined && <bdi className={styles.note}>{note}</bdi>}
      <span className={styles.kind}>{kind}</span>
    </div>
  );
}

const settleMilliseconds = 200;

/** The text once nobody has typed for a moment: each letter would be a call. */
export function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), settleMilliseconds);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
