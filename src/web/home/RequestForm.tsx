import { Mail } from "lucide-react";
import type { FormEvent } from "react";
import { useLocation } from "wouter";
import { openAuth } from "../auth/authDialog.ts";
import { isolated, price } from "../format.ts";
import { useLanguage, useText } from "../language.tsx";
import { paths } from "../paths.ts";
import { useServerData } from "../serverData.tsx";
import { useToken } from "../session.ts";
import { stored } from "../stored.ts";
import { Button } from "../ui/button/Button.tsx";
import { SelectField } from "../ui/form/Select.tsx";
import { keepPendingRequest, services } from "./pendingRequest.ts";
import styles from "./RequestForm.module.css";

const isText = (value: FormDataEntryValue) => typeof value === "string";

/** The two pickers. Opens the dashboard; without a token the choice waits for the sign-in (spec B §2). */
export function RequestForm() {
  const t = useText();
  const language = useLanguage();
  const token = useToken();
  const { domains } = useServerData();
  const [, navigate] = useLocation();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    // What the pickers show: a choice may be older than this script.
    const fields = new FormData(event.currentTarget);
    const [from = "any", to = ""] = ["from", "to"].flatMap((name) => fields.getAll(name)).filter(isText);
    if (token !== "") return navigate(paths.dashboard(language, { from, to }));
    keepPendingRequest({ from, to });
    openAuth(stored.hasAccount.read() ? "login" : "register");
  };
  const none = domains.length === 0;
  return (
    <form className={styles.letter} aria-labelledby="request" onSubmit={submit}>
      <div className={styles.inside}>
        <h2 id="request" className={styles.title}>
          {t("home.form.title")}
        </h2>
        <SelectField
          label={t("home.service")}
          name="from"
          choices={[
            { value: "any", label: t("home.service.any") },
            ...Object.entries(services).map(([value, label]) => ({ value, label })),
          ]}
        />
        <SelectField
          label={t("home.domain")}
          name="to"
          disabled={none}
          choices={
            none
              ? [{ value: "", label: t("home.domain.none") }]
              : domains.map(({ name, price: each }) => ({
                  value: name,
                  label: isolated(`${name} · ${price(language, each)}`),
                }))
          }
        />
        <Button type="submit" size="large" wide disabled={none} icon={<Mail aria-hidden size={18} />}>
          {t("home.get")}
        </Button>
        <p className={styles.promise}>{t("home.promise")}</p>
      </div>
    </form>
  );
}
