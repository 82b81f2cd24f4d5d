import { type FormEvent, useLayoutEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useText } from "../language.tsx";
import type { FieldError } from "./fieldErrors.ts";
import { useBusy } from "../useBusy.ts";

export type FieldErrors<Name extends string> = Partial<Record<Name | "form", FieldError>>;

export interface Form<Name extends string> {
  busy: boolean;
  /** The error of a field, or (`form`) of the whole form. */
  error: (name: Name | "form") => string | undefined;
  clear: (name: Name) => void;
  onTyped: <Value>(name: Name, keep: (value: Value) => void) => (value: Value) => void;
  onSubmit: (event: FormEvent<HTMLFormElement>) => void;
}

/**
 * `check` returns errors before sending; `send` returns the refused fields, or nothing. Focuses the first wrong field. The text fields
 * are to have a `defaultValue`: what a password manager filled in without a word would be taken away from a `value`.
 */
export function useForm<Name extends string>(
  check: (form: HTMLFormElement) => FieldErrors<Name>,
  send: () => Promise<FieldErrors<Name> | undefined>,
): Form<Name> {
  const t = useText();
  const [errors, setErrors] = useState<FieldErrors<Name>>({});
  const [busy, whileBusy] = useBusy();
  const submit = async (form: HTMLFormElement) => {
    const wrong = check(form);
    setErrors(wrong);
    const first = Object.keys(wrong)[0];
    if (first !== undefined) return focusField(form, first);
    setErrors((await whileBusy(send)) ?? {});
  };
  const latest = useRef(submit);
  useLayoutEffect(() => {
    latest.current = submit;
  });
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
      const form = event.currentTarget;
      if (busy) return;
      flushSync(() => readFields(form));
      void latest.current(form);
    },
  };
}

/** Has each field told as if it were typed: React passes on only what it does not know. */
function readFields(form: HTMLFormElement) {
  for (const field of form.elements) field.dispatchEvent(new Event("input", { bubbles: true }));
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
