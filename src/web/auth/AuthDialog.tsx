import { useText } from "../language.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import { type AuthMode, closeAuth } from "./authDialog.ts";

export function AuthDialog({ mode }: { mode: AuthMode }) {
  const t = useText();
  return (
    <Dialog title={t(`auth.${mode}`)} onClose={closeAuth}>
      {mode}
    </Dialog>
  );
}
