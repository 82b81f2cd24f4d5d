import { useText } from "../language.tsx";
import { TextField } from "../ui/form/Input.tsx";

interface EmailFieldProps {
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
}

export function EmailField({ value, error, onChange }: EmailFieldProps) {
  const t = useText();
  return (
    <TextField
      label={t("auth.email")}
      name="email"
      type="email"
      inputMode="email"
      autoComplete="username"
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
