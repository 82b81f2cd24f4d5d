import { type FormEvent, useState } from "react";
import { useText } from "../language.tsx";
import type { Fault } from "./rules.ts";

export type Faults<Name extends string> = Partial<Record<Name | "form", Fault>>;

/** A form that is checked and then sent. */
interface Form<Name extends string> {
  busy: boolean;
  /** The text of what is wrong with a field, or (`form`) with the whole. */
  fault: (name: Name | "form") => string | undefined;
  /** A changed field is innocent again. */
  clear: (name: Name) => void;
  onSubmit: (event: FormEvent<HTMLFormElement>) => void;
}

/**
 * `check` names what is wrong before anything is sent; `send` names what the server refused, or nothing.
 * The first wrong field gets the focus.
 */
export function useForm<Name extends string>(
  check: (form: HTMLFormElement) => Faults<Name>,
  send: () => Promise<Faults<Name> | undefined>,
): Form<Name> {
  const t = useText();
  const [faults, setFaults] = useState<Faults<Name>>({});
  const [busy, setBusy] = useState(false);
  const submit = async (form: HTMLFormElement) => {
    const wrong = check(form);
    setFaults(wrong);
    const first = Object.keys(wrong)[0];
    if (first !== undefined) return focusField(form, first);
    setBusy(true);
    const refused = (await send()) ?? {};
    setBusy(false);
    setFaults(refused);
  };
  return {
    busy,
    fault: (name) => {
      const fault = faults[name];
      return fault && t(fault.key, fault.holes);
    },
    clear: (name) => setFaults({ ...faults, [name]: undefined, form: undefined }),
    onSubmit: (event) => {
      event.preventDefault();
      if (!busy) void submit(event.currentTarget);
    },
  };
}

/** The browser's own judgement of an e-mail field (spec B §5). */
function isEmail(form: HTMLFormElement): boolean {
  const field = form.elements.namedItem("email");
  return field instanceof HTMLInputElement && field.value !== "" && field.validity.valid;
}

/** What is wrong with the e-mail of a form, if anything. */
export function emailFault(form: HTMLFormElement, typed: string): Fault | undefined {
  if (typed.trim() === "" && !isMistyped(form)) return { key: "auth.error.emailEmpty" };
  return isEmail(form) ? undefined : { key: "auth.error.emailFormat" };
}

/** A browser tells nothing of what it cannot take at all: the field says that it is empty, and is not. */
function isMistyped(form: HTMLFormElement): boolean {
  const field = form.elements.namedItem("email");
  return field instanceof HTMLInputElement && field.validity.badInput;
}

function focusField(form: HTMLFormElement, name: string) {
  const field = form.elements.namedItem(name) ?? form.querySelector(`[data-field="${name}"] button`);
  if (field instanceof HTMLElement) field.focus();
}
