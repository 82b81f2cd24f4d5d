import { type KeyboardEvent, type ReactNode, useId, useState } from "react";
import { classNames } from "../layout/classNames.ts";
import { Dialog } from "./Dialog.tsx";
import styles from "./Picker.module.css";

export interface Pickable {
  /** Stays the same while other items come and go. */
  readonly id: string;
  readonly pick: () => void;
}

interface PickerProps<Item extends Pickable> {
  label: string;
  hint: string;
  type: "text" | "search";
  text: string;
  onText: (text: string) => void;
  items: readonly Item[];
  itemClass: string | undefined;
  show: (item: Item) => ReactNode;
  /** Below the items. */
  children: ReactNode;
  onClose: () => void;
}

/** A dialog with one field and what its text finds, by keyboard alone if one likes. Whoever shows it decides what a text finds. */
export function Picker<Item extends Pickable>(props: PickerProps<Item>) {
  const { label, hint, type, text, onText, items, itemClass, show, children, onClose } = props;
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
        type={type}
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
          // The keyboard is the input's, which names the chosen item.
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
          <div
            key={item.id}
            id={`${id}-${place}`}
            ref={(row) => void (place === at && row?.scrollIntoView({ block: "nearest" }))}
            role="option"
            aria-selected={place === at}
            className={classNames(styles.item, itemClass)}
            onClick={item.pick}
          >
            {show(item)}
          </div>
        ))}
      </div>
      {children}
    </Dialog>
  );
}
