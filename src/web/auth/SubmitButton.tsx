import type { ReactNode } from "react";
import { Button } from "../ui/button/Button.tsx";
import { Notice } from "../ui/feedback/Notice.tsx";
import type { Form } from "./useForm.ts";

interface SubmitButtonProps {
  form: Pick<Form<never>, "busy" | "error">;
  children: ReactNode;
}

export function SubmitButton({ form, children }: SubmitButtonProps) {
  return (
    <>
      {form.error("form") && <Notice tone="bad">{form.error("form")}</Notice>}
      <Button type="submit" size="large" wide busy={form.busy}>
        {children}
      </Button>
    </>
  );
}
