import { ArrowDown, ArrowUp, Pencil, Trash2 } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import { useOfficeText } from "../language.tsx";
import { classNames } from "../ui/layout/classNames.ts";
import { IconButton } from "../ui/button/IconButton.tsx";
import styles from "./Admin.module.css";

export type Direction = "up" | "down";

interface EditableRowProps {
  id: string;
  /** The first row cannot move up, nor the last one down (spec O §2). */
  isFirst: boolean;
  isLast: boolean;
  isEdited: boolean;
  importance?: string;
  onMove: (way: Direction) => void;
  onEdit: () => void;
  onRemove: () => void;
  children: ReactNode;
}

export function EditableRow({
  id,
  isFirst,
  isLast,
  isEdited,
  importance,
  onMove,
  onEdit,
  onRemove,
  children,
}: EditableRowProps) {
  const t = useOfficeText();
  return (
    <li
      data-row={id}
      data-importance={importance}
      aria-current={isEdited || undefined}
      className={classNames(styles.row, isEdited && styles.edited)}
    >
      <div className={styles.content}>{children}</div>
      <div className={styles.tools}>
        <IconButton
          data-move="up"
          label={t("editor.up", { id })}
          icon={<ArrowUp aria-hidden size={17} />}
          disabled={isFirst}
          onClick={() => onMove("up")}
        />
        <IconButton
          data-move="down"
          label={t("editor.down", { id })}
          icon={<ArrowDown aria-hidden size={17} />}
          disabled={isLast}
          onClick={() => onMove("down")}
        />
        <IconButton
          label={t("editor.edit", { id })}
          icon={<Pencil aria-hidden size={17} />}
          onClick={onEdit}
        />
        <IconButton
          label={t("editor.delete", { id })}
          icon={<Trash2 aria-hidden size={17} />}
          onClick={onRemove}
        />
      </div>
    </li>
  );
}

/** Keeps the focus on a row that moves; browsers drop it. Call `note` before the step; `ids` are those of the list. */
export function useFocusAfterMove(ids: readonly string[] | undefined) {
  const list = useRef<HTMLOListElement>(null);
  const moved = useRef<{ id: string; way: Direction }>(undefined);
  const order = ids?.join();
  useEffect(() => {
    if (!moved.current) return;
    const { id, way } = moved.current;
    moved.current = undefined;
    const steps = list.current?.querySelectorAll<HTMLButtonElement>(
      `[data-row="${id}"] [data-move]:not(:disabled)`,
    );
    const [first, second] = steps ?? [];
    (second?.dataset["move"] === way ? second : first)?.focus();
  }, [order]);
  return {
    list,
    note: (id: string, way: Direction) => {
      moved.current = { id, way };
    },
  };
}
