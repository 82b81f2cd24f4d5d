import { type FormEvent, useState } from "react";
import { useText } from "../language.tsx";
import type { FieldError } from "./fieldErrors.ts";

export type FieldErrors<Name extends string> = Partial<Record<Name | "form", FieldError>>;

export interface Form<Name extends string> {
  busy: boolean;
  /** The error of a field, or (`form`) of the whole form. */
  error: (name: Name | "form") => string | undefined;
  clear: (name: Name) => void;
  onTyped: <Value>(name: Name, keep: (value: Value) => void) => (value: Value) => void;
  onSubmit: (event: FormEvent<HTMLFormElement>) => void;
}

/** `check` returns errors before sending; `send` returns the refused fields, or nothing. Focuses the first wrong field. */
export function useForm<Name extends string>(
  check: (form: HTMLFormElement) => FieldErrors<Name>,
  send: () => Promise<FieldErrors<Name> | undefined>,
): Form<Name> {
  const t = useText();
  const [errors, setErrors] = useState<FieldErrors<Name>>({});
  const [busy, setBusy] = useState(false);
  const submit = async (form: HTMLFormElement) => {
    const wrong = check(form);
    setErrors(wrong);
    const first = Object.keys(wrong)[0];
    if (first !== undefined) return focusField(form, first);
    setBusy(true);
    const refused = (await send()) ?? {};
    setBusy(false);
    setErrors(refused);
  };
  const clear = (name: Name) => setErrors({ ...errors, [name]: undefined, form: undefined });
  return {
    busy,
    error: (name) => {
      const error = errors[name];
      return error && t(error.key, error.holes);
    },
    clear,
    onTyped: (name, keep) => (value) => {
      keep(value);
      clear(name);
    },
    onSubmit: (event) => {
      event.preventDefault();
      if (!busy) void submit(event.currentTarget);
    },
  };
}

/** Uses the browser's validation of an email field (spec B §5). */
function isEmail(form: HTMLFormElement): boolean {
  const field = form.elements.namedItem("email");
  return field instanceof HTMLInputElement && field.value !== "" && field.validity.valid;
}

export function emailError(form: HTMLFormElement, typed: string): FieldError | undefined {
  if (typed.trim() === "" && !isMistyped(form)) return { key: "auth.error.emailEmpty" };
  return isEmail(form) ? undefined : { key: "auth.error.emailFormat" };
}

/** The browser reports unparsable input as an empty value; only `badInput` shows it. */
function isMistyped(form: HTMLFormElement): boolean {
  const field = form.elements.namedItem("email");
  return field instanceof HTMLInputElement && field.validity.badInput;
}

function focusField(form: HTMLFormElement, name: string) {
  const field = form.elements.namedItem(name) ?? form.querySelector(`[data-field="${name}"] button`);
  if (field instanceof HTMLElement) field.focus();
}
