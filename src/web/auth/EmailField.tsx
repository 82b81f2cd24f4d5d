import { useText } from "../language.tsx";
import { TextField } from "../ui/form/Input.tsx";

interface EmailFieldProps {
  label?: string;
  /** "email" for an address that is not the one to sign in with. */
  autoComplete?: "username" | "email";
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
}

export function EmailField({ label, autoComplete = "username", value, error, onChange }: EmailFieldProps) {
  const t = useText();
  return (
    <TextField
      label={label ?? t("auth.email")}
      name="email"
      type="email"
      inputMode="email"
      autoComplete={autoComplete}
      autoCapitalize="none"
      spellCheck={false}
      dir="ltr"
      required
      data-autofocus
      defaultValue={value}
      error={error}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
