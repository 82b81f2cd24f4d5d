import { EllipsisVertical } from "lucide-react";
import { type MouseEvent, type ReactNode, useId } from "react";
import { useAppText } from "../../language.tsx";
import { IconButton } from "../../ui/button/IconButton.tsx";
import styles from "./RowActs.module.css";

/** The acts of a row: in line where the list is wide, else in a menu behind one button. The style sheet decides. */
export function RowMenu({ email, children }: { email: string; children: ReactNode }) {
  const t = useAppText();
  const id = useId();
  return (
    <>
      <IconButton
        label={t("activations.actions", { email })}
        popoverTarget={id}
        className={styles.more}
        icon={<EllipsisVertical aria-hidden size={18} />}
      />
      <div id={id} popover="auto" className={styles.menu} onClick={closeMenu}>
        {children}
      </div>
    </>
  );
}

/** An act ends the menu, unless it must be pressed once more. */
function closeMenu({ currentTarget, target }: MouseEvent<HTMLElement>) {
  const pressed = target instanceof Element && target.closest("button");
  if (pressed && !("stays" in pressed.dataset) && currentTarget.matches(":popover-open"))
    currentTarget.hidePopover();
}
