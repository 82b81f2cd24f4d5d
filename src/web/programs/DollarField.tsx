import type { ComponentProps } from "react";
import { TextField } from "../ui/form/Input.tsx";
import { typedDollars } from "./tokens.ts";

type DollarFieldProps = Omit<ComponentProps<typeof TextField>, "value" | "onChange"> & {
  value: string;
  onChange: (dollars: string) => void;
};

/** An amount as it is typed: digits and a decimal point. */
export function DollarField({ onChange, ...rest }: DollarFieldProps) {
  return (
    <TextField
      dir="ltr"
      type="text"
      inputMode="decimal"
      autoComplete="off"
      onChange={({ target }) => onChange(typedDollars(target.value))}
      {...rest}
    />
  );
}
