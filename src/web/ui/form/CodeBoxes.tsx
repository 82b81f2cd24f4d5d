import { type KeyboardEvent, useId, useRef } from "react";
import { useText } from "../../language.tsx";
import { eraseDigit, typeDigits } from "./codeDigits.ts";
import styles from "./CodeBoxes.module.css";

const length = 6;

interface CodeBoxesProps {
  label: string;
  value: string;
  onChange: (code: string) => void;
  error?: string | undefined;
  autoFocus?: boolean;
}

/** Boxes of one digit each (spec B §2): digits only, moves on, backspace moves back, paste fills all. */
export function CodeBoxes({ label, error, ...boxes }: CodeBoxesProps) {
  const id = useId();
  return (
    <div
      role="group"
      aria-labelledby={`${id}-label`}
      aria-describedby={error ? `${id}-error` : undefined}
      className={styles.group}
    >
      <span id={`${id}-label`} className={styles.label}>
        {label}
      </span>
      <Boxes {...boxes} isWrong={error !== undefined} />
      <div aria-live="polite" className={styles.live}>
        {error && (
          <p id={`${id}-error`} className={styles.error}>
            {error}
          </p>
        )}
      </div>
    </div>
  );
}

type BoxesProps = Omit<CodeBoxesProps, "label" | "error"> & { isWrong: boolean };

/** Left to right in every language, like codes. */
function Boxes({ value, onChange, isWrong, autoFocus }: BoxesProps) {
  const t = useText();
  const boxes = useRef<HTMLDivElement>(null);
  const focus = (at: number) => boxes.current?.querySelectorAll("input")[at]?.focus();
  const apply = (change: { code: string; next: number }) => {
    onChange(change.code);
    focus(change.next);
  };
  const type = (at: number, typed: string) => apply(typeDigits(value, at, typed, length));
  const onKeyDown = (event: KeyboardEvent, at: number) => {
    if (event.key === "Backspace") apply(eraseDigit(value, at));
    else if (event.key === "ArrowLeft") focus(at - 1);
    else if (event.key === "ArrowRight") focus(at + 1);
    else return;
    event.preventDefault();
  };
  return (
    <div ref={boxes} dir="ltr" className={styles.boxes}>
      {Array.from({ length }, (_, at) => (
        <input
          key={at}
          className={styles.box}
          type="text"
          inputMode="numeric"
          autoComplete={at === 0 ? "one-time-code" : "off"}
          aria-label={t("ui.code.digit", { number: at + 1, count: length })}
          aria-invalid={isWrong || undefined}
          data-autofocus={autoFocus && at === 0 ? true : undefined}
          value={value[at] ?? ""}
          onFocus={(event) => event.target.select()}
          onKeyDown={(event) => onKeyDown(event, at)}
          onPaste={(event) => {
            event.preventDefault();
            type(at, event.clipboardData.getData("text"));
          }}
          onChange={(event) => type(at, typedNow(event.target.value, value[at]))}
        />
      ))}
    </div>
  );
}

/** The new digit: "12" or "21" in a box that held "1" means 2. */
function typedNow(text: string, before = ""): string {
  return text.length === 2 && before !== "" ? text.replace(before, "") : text;
}
