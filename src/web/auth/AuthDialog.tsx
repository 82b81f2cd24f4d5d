import { useText } from "../language.tsx";
import { Dialog } from "../ui/dialog/Dialog.tsx";
import { ActivateForm } from "./ActivateForm.tsx";
import { type AuthMode, closeAuth } from "./authDialog.ts";
import { DisownForm } from "./DisownForm.tsx";
import { FactorForm } from "./FactorForm.tsx";
import { LoginForm } from "./LoginForm.tsx";
import { RegisterForm } from "./RegisterForm.tsx";
import { ResetForm } from "./ResetForm.tsx";

const forms = {
  login: LoginForm,
  factor: FactorForm,
  register: RegisterForm,
  activate: ActivateForm,
  reset: ResetForm,
  disown: DisownForm,
};

/** Sign in, register, activate, reset (spec B §2), and "this was not me": one dialog. */
export function AuthDialog({ mode }: { mode: AuthMode }) {
  const t = useText();
  const Form = forms[mode];
  return (
    <Dialog title={t(`auth.${mode}`)} onClose={closeAuth}>
      <Form />
    </Dialog>
  );
}
