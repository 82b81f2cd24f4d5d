import type { LucideIcon } from "lucide-react";
import { useEffect, useState } from "react";
import { type Pickable, Picker } from "../ui/dialog/Picker.tsx";
import styles from "./Palette.module.css";

export interface PaletteItem extends Pickable {
  readonly Icon: LucideIcon;
  /** "Order", "Page": what is picked. */
  readonly kind: string;
  readonly title: string;
  readonly note?: string | undefined;
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

/** One field for all that can be found or done. */
export function Palette({ status, ...picker }: PaletteProps) {
  return (
    <Picker {...picker} type="text" itemClass={styles.item} show={(item) => <Item {...item} />}>
      <p role="status" className={styles.status}>
        {status}
      </p>
    </Picker>
  );
}

function Item({ Icon, kind, title, note }: PaletteItem) {
  return (
    <>
      <Icon aria-hidden size={17} className={styles.icon} />
      <bdi className={styles.title}>{title}</bdi>
      {note !== undefined && <bdi className={styles.note}>{note}</bdi>}
      <span className={styles.kind}>{kind}</span>
    </>
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
