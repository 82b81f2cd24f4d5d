import { useText } from "../language.tsx";
import { CodeBoxes } from "../ui/form/CodeBoxes.tsx";

interface CodeFieldProps {
  /** The code that the link of a mail brought along: nothing is to be typed. */
  linked: string | undefined;
  value: string;
  error: string | undefined;
  onChange: (code: string) => void;
}

export function CodeField({ linked, ...boxes }: CodeFieldProps) {
  const t = useText();
  return linked === undefined && <CodeBoxes label={t("auth.code")} autoFocus {...boxes} />;
}
