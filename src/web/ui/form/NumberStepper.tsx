import { Minus, Plus } from "lucide-react";
import { useId, useState } from "react";
import { useText } from "../../language.tsx";
import { IconButton } from "../button/IconButton.tsx";
import styles from "./NumberStepper.module.css";

interface NumberStepperProps {
  label: string;
  value: number;
  min: number;
  max: number;
  onChange: (value: number) => void;
}

/** A whole number within bounds, by buttons, arrow keys or typing. Valid text counts at once; invalid text stays until blur. */
export function NumberStepper({ label, value, min, max, onChange }: NumberStepperProps) {
  const t = useText();
  const id = useId();
  const [typed, setTyped] = useState<string>();
  const clamp = (wanted: number) => onChange(Math.min(max, Math.max(min, Math.trunc(wanted))));
  const take = (text: string) => {
    const wanted = Number.parseFloat(text);
    if (!Number.isNaN(wanted)) clamp(wanted);
    setTyped(/^\d+$/.test(text) ? undefined : text);
  };
  return (
    <div className={styles.stepper}>
      <label htmlFor={id} className={styles.label}>
        {label}
      </label>
      <div dir="ltr" className={styles.box}>
        <IconButton
          label={t("ui.stepper.less")}
          icon={<Minus aria-hidden size={16} />}
          disabled={value <= min}
          onClick={() => clamp(value - 1)}
        />
        <input
          id={id}
          className={styles.value}
          type="text"
          role="spinbutton"
          inputMode="numeric"
          aria-valuenow={value}
          aria-valuemin={min}
          aria-valuemax={max}
          value={typed ?? value}
          onFocus={(event) => event.target.select()}
          onBlur={() => setTyped(undefined)}
          onChange={(event) => take(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === "ArrowUp") clamp(value + 1);
            else if (event.key === "ArrowDown") clamp(value - 1);
            else return;
            event.preventDefault();
          }}
        />
        <IconButton
          label={t("ui.stepper.more")}
          icon={<Plus aria-hidden size={16} />}
          disabled={value >= max}
          onClick={() => clamp(value + 1)}
        />
      </div>
    </div>
  );
}
