import { useCallback } from "react";
import type { Form } from "../../../contract/endpoint.ts";
import { Captcha } from "../../auth/Captcha.tsx";
import { useDocsText } from "../../language.tsx";
import { PasswordInput, TextField } from "../../ui/form/Input.tsx";
import { type Choice, SelectField } from "../../ui/form/Select.tsx";
import type { Parameter } from "../calls.ts";
import styles from "./TryIt.module.css";

interface TryFieldProps {
  name: string;
  field: Parameter;
  example: string | undefined;
  value: string;
  /** Must be a stable function. */
  onChange: (name: string, value: string) => void;
}

/** The control of one parameter. It validates nothing: the reader may want to see the server's refusal. */
export function TryField({ name, field, example, value, onChange }: TryFieldProps) {
  const t = useDocsText();
  const { form, optional } = field;
  const aside = !optional && <span className={styles.required}>{t("docs.required")}</span>;
  const shared = { label: name, aside, value, "aria-required": !optional };
  if (form.kind === "captcha") return <CaptchaField name={name} onChange={onChange} />;
  const words = wordsOf(form);
  if (words) {
    const none: Choice = { value: "", label: t("docs.try.none") };
    return (
      <SelectField
        label={name}
        value={value}
        aria-required={!optional}
        choices={[none, ...words.map((word) => ({ value: word, label: word }))]}
        onChange={(event) => onChange(name, event.target.value)}
      />
    );
  }
  if (form.kind === "password") {
    return (
      <PasswordInput
        {...shared}
        autoComplete="off"
        onChange={(event) => onChange(name, event.target.value)}
      />
    );
  }
  return (
    <TextField
      {...shared}
      code
      dir={value === "" ? "ltr" : "auto"}
      placeholder={example}
      inputMode={keyboardOf(form)}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      onChange={(event) => onChange(name, event.target.value)}
    />
  );
}

function wordsOf(form: Form): readonly string[] | undefined {
  if (form.kind === "flag") return ["0", "1"];
  return form.kind === "choice" ? form.of : undefined;
}

function keyboardOf({ kind }: Form): "numeric" | "decimal" | "email" | "url" | "text" {
  if (kind === "whole" || kind === "digits" || kind === "id" || kind === "time") return "numeric";
  if (kind === "dollars") return "decimal";
  return kind === "email" || kind === "url" ? kind : "text";
}

/** A reader cannot type a captcha solution. */
function CaptchaField({ name, onChange }: Pick<TryFieldProps, "name" | "onChange">) {
  const solve = useCallback((payload: string) => onChange(name, payload), [name, onChange]);
  return <Captcha onSolved={solve} />;
}
