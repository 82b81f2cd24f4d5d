import { type ReactNode, useEffect, useEffectEvent, useId, useRef } from "react";
import { DialogFrame } from "../../ui/dialog/Dialog.tsx";
import styles from "./LetterBeside.module.css";

/** Where the dashboard has room for a letter beside its list; null where there is no list. */
export const placeBeside = (): HTMLElement | null => document.querySelector("#beside");

interface LetterBesideProps {
  title: ReactNode;
  acts: ReactNode;
  onClose: () => void;
  children: ReactNode;
}

/** A letter beside the list, which stays in use: the focus stays there, and Escape closes the letter. */
export function LetterBeside({ onClose, ...rest }: LetterBesideProps) {
  const section = useFocusBack();
  const titleId = useId();
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== "Escape" || event.defaultPrevented) return;
    if (!document.querySelector("dialog[open],:popover-open")) onClose();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event);
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);
  return (
    <section ref={section} aria-labelledby={titleId} className={styles.beside}>
      <DialogFrame titleId={titleId} onClose={onClose} {...rest} />
    </section>
  );
}

/** The focus goes back to the row when the part that has it goes. */
function useFocusBack() {
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    const opener = document.activeElement;
    return () => {
      if (document.activeElement === document.body && opener instanceof HTMLElement) opener.focus();
    };
  }, []);
  return section;
}
