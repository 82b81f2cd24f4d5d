import { useState } from "react";
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

/** A new password with its repetition, which follows a password that can be read; checks while the user types (spec B §5). */
export function NewPasswordFields({ label, email, value, error: fault, onChange }: NewPasswordFieldsProps) {
  const t = useText();
  const [isShown, setShown] = useState(false);
  const live = passwordErrorWhileTyping(value.password);
  const strength = passwordStrength(value.password, email);
  return (
    <>
      <PasswordInput
        label={label}
        name="password"
        autoComplete="new-password"
        error={live ? t(live) : fault("password")}
        hint={live || value.password === "" ? t("auth.password.hint") : t(`auth.strength.${strength}`)}
        onShown={(shown) => {
          setShown(shown);
          if (shown) onChange({ ...value, repeat: value.password }, "repeat");
        }}
        onChange={({ target: { value: password } }) =>
          onChange({ password, repeat: isShown ? password : value.repeat }, "password")
        }
      />
      <PasswordInput
        // Written anew when it follows the password.
        key={isShown ? value.password : "typed"}
        label={t("auth.password.repeat")}
        name="repeat"
        autoComplete="new-password"
        defaultValue={value.repeat}
        error={value.repeat === value.password ? undefined : fault("repeat")}
        onChange={(event) => onChange({ ...value, repeat: event.target.value }, "repeat")}
      />
    </>
  );
}
