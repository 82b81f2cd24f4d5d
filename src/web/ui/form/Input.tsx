import { Eye, EyeOff } from "lucide-react";
import { type ComponentProps, type ReactNode, useState } from "react";
import { useText } from "../../language.tsx";
import { classNames } from "../layout/classNames.ts";
import { Field } from "./Field.tsx";
import styles from "./Field.module.css";
import { IconButton } from "../button/IconButton.tsx";

/** For addresses, patterns and the like: no autocorrection, no autofill, left to right. */
export const verbatim = {
  dir: "ltr",
  autoComplete: "off",
  autoCapitalize: "none",
  spellCheck: false,
} as const;

/** A styled input without label; use it in a Field or with an aria-label. */
export function Input({ className, code, ...rest }: ComponentProps<"input"> & { code?: boolean }) {
  return <input {...rest} className={classNames(styles.control, code && styles.code, className)} />;
}

type TextFieldProps = ComponentProps<"input"> & {
  label: string;
  error?: string | undefined;
  hint?: ReactNode;
  aside?: ReactNode;
  code?: boolean;
};

export function TextField({ label, error, hint, aside, ...rest }: TextFieldProps) {
  return (
    <Field label={label} error={error} hint={hint} aside={aside}>
      {(control) => <Input {...rest} {...control} />}
    </Field>
  );
}

type SecretProps = Omit<TextFieldProps, "type"> & {
  showLabel?: string;
  hideLabel?: string;
  onShown?: (isShown: boolean) => void;
};

/** A labelled secret (password, token) that can be revealed. Always left to right. */
export function PasswordInput(props: SecretProps) {
  const { label, error, hint, aside, showLabel, hideLabel, onShown, ...rest } = props;
  const t = useText();
  const [shown, setShown] = useState(false);
  const name = shown ? (hideLabel ?? t("ui.password.hide")) : (showLabel ?? t("ui.password.show"));
  return (
    <Field label={label} error={error} hint={hint} aside={aside}>
      {(control) => (
        <div className={styles.withButton} dir="ltr">
          <Input
            spellCheck={false}
            autoCapitalize="none"
            {...rest}
            {...control}
            type={shown ? "text" : "password"}
          />
          <span className={styles.inside}>
            <IconButton
              label={name}
              aria-pressed={shown}
              icon={shown ? <EyeOff aria-hidden size={18} /> : <Eye aria-hidden size={18} />}
              onClick={() => {
                setShown(!shown);
                onShown?.(!shown);
              }}
            />
          </span>
        </div>
      )}
    </Field>
  );
}
