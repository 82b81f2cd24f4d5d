import { api } from "../api.ts";
import { useText } from "../language.tsx";
import { toast } from "../ui/feedback/toast.ts";
import { forgetMailLink, openAuth, useAuthRequest, useLinkedCode } from "./authDialog.ts";
import styles from "./forms.module.css";
import { refusalError } from "./fieldErrors.ts";
import { SubmitButton } from "./SubmitButton.tsx";
import { type FieldErrors, useForm } from "./useForm.ts";

/** "This was not me", by the link of a mail: says what the button ends. Only the button does it: programs open the links of mails. */
export function DisownForm() {
  const t = useText();
  const email = useAuthRequest()?.email ?? "";
  const code = useLinkedCode("disown") ?? "";
  const send = async (): Promise<FieldErrors<never> | undefined> => {
    const answer = await api.disown({ email, code });
    if (!answer.ok) return { form: refusalError("disown", answer.value, answer.more.retry_after) };
    toast("good", t("auth.done.disown"));
    openAuth("reset");
    return undefined;
  };
  const form = useForm<never>(() => ({}), send);
  const reset = () => {
    forgetMailLink();
    openAuth("reset", { email });
  };
  return (
    <form className={styles.form} onSubmit={form.onSubmit}>
      <p className={styles.text}>{t("auth.disown.text", { email })}</p>
      <ul className={styles.list}>
        <li>{t("auth.disown.token")}</li>
        <li>{t("auth.disown.programs")}</li>
        <li>{t("auth.disown.telegram")}</li>
        <li>{t("auth.disown.password")}</li>
      </ul>
      <SubmitButton form={form}>{t("auth.disown.do")}</SubmitButton>
      {form.error("form") && (
        <p className={styles.switch}>
          <button type="button" className={styles.link} onClick={reset}>
            {t("auth.reset")}
          </button>
        </p>
      )}
    </form>
  );
}
