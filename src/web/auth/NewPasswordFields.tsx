import { passwordStrength } from "../../contract/passwords.ts";
import { useText } from "../language.tsx";
import { PasswordInput } from "../ui/form/Input.tsx";
import { passwordErrorWhileTyping } from "./fieldErrors.ts";

export interface Passwords {
  password: string;
  repeat: string;
}

interface NewPasswordFieldsProps {
  label: string;
  /** The password must differ from it. */
  email: string;
  value: Passwords;
  error: (name: "password" | "repeat") => string | undefined;
  onChange: (value: Passwords, name: "password" | "repeat") => void;
}

/** A new password with its repetition; checks while the user types (spec B §5). */
export function NewPasswordFields({ label, email, value, error: fault, onChange }: NewPasswordFieldsProps) {
  const t = useText();
  const live = passwordErrorWhileTyping(value.password);
  const strength = passwordStrength(value.password, email);
  return (
    <>
      <PasswordInput
        label={label}
        name="password"
        autoComplete="new-password"
        value={value.password}
        error={live ? t(live) : fault("password")}
        hint={live || value.password === "" ? t("auth.password.hint") : t(`auth.strength.${strength}`)}
        onChange={(event) => onChange({ ...value, password: event.target.value }, "password")}
      />
      <PasswordInput
        label={t("auth.password.repeat")}
        name="repeat"
        autoComplete="new-password"
        value={value.repeat}
        error={fault("repeat")}
        onChange={(event) => onChange({ ...value, repeat: event.target.value }, "repeat")}
      />
    </>
  );
}
