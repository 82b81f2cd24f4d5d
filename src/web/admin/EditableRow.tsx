import { ArrowDown, ArrowUp, Pencil, Trash2 } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import { isolated } from "../format.ts";
import { useOfficeText } from "../language.tsx";
import { classNames } from "../ui/layout/classNames.ts";
import { IconButton } from "../ui/button/IconButton.tsx";
import styles from "./Admin.module.css";

export type Direction = "up" | "down";

interface EditableRowProps {
  id: string;
  /** At an end of the list there is no further step (spec O §2). */
  isFirst: boolean;
  isLast: boolean;
  isEdited: boolean;
  importance?: string;
  onMove: (way: Direction) => void;
  onEdit: () => void;
  onRemove: () => void;
  children: ReactNode;
}

/** One of what is published, with what can be done to it. */
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
  const number = isolated(`#${id}`);
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
          label={t("editor.up", { number })}
          icon={<ArrowUp aria-hidden size={17} />}
          disabled={isFirst}
          onClick={() => onMove("up")}
        />
        <IconButton
          data-move="down"
          label={t("editor.down", { number })}
          icon={<ArrowDown aria-hidden size={17} />}
          disabled={isLast}
          onClick={() => onMove("down")}
        />
        <IconButton
          label={t("editor.edit", { number })}
          icon={<Pencil aria-hidden size={17} />}
          onClick={onEdit}
        />
        <IconButton
          label={t("editor.delete", { number })}
          icon={<Trash2 aria-hidden size={17} />}
          onClick={onRemove}
        />
      </div>
    </li>
  );
}

/**
 * Lets the focus go with what was moved: the browser forgets it when the row is put elsewhere. Give `list` to the list, and call
 * `note` before the step; `ids` are those of the list.
 */
export function useFocusAfterMove(ids: readonly string[] | undefined) {
  const list = useRef<HTMLOListElement>(null);
  const moved = useRef<{ id: string; way: Direction }>(undefined);
  const order = ids?.join();
  // The focus is the browser's; the new order is known when it is drawn.
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
