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
  /** No password may be the address itself. */
  email: string;
  value: Passwords;
  error: (name: "password" | "repeat") => string | undefined;
  onChange: (value: Passwords, name: "password" | "repeat") => void;
}

/** A password to choose and to repeat; checked while it is typed (spec B §5). */
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
