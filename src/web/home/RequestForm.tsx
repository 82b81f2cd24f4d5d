import { Mail } from "lucide-react";
import { type FormEvent, useState } from "react";
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
import { keepPendingRequest, requestOf, useKeptRequest } from "./pendingRequest.ts";
import styles from "./RequestForm.module.css";
import { SitePicker } from "./SitePicker.tsx";
import { useChoice } from "./useChoice.ts";

/** The two pickers. Opens the dashboard; without a token the choice waits for the sign-in (spec B §2). */
export function RequestForm() {
  const t = useText();
  const language = useLanguage();
  const token = useToken();
  const { domains } = useServerData();
  const [, navigate] = useLocation();
  const kept = useKeptRequest();
  const [isMissing, setMissing] = useState(false);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { from, to } = requestOf(event.currentTarget);
    setMissing(from === "");
    if (from === "") return event.currentTarget.querySelector("input")?.focus();
    stored.selectedSite.write(from === "any" ? "" : from);
    if (token !== "") return navigate(paths.dashboard(language, { from, to }));
    keepPendingRequest({ from, to });
    openAuth(stored.hasAccount.read() ? "login" : "register");
  };
  return (
    <form className={styles.letter} aria-labelledby="request" onSubmit={submit}>
      <div className={styles.inside}>
        <h2 id="request" className={styles.title}>
          {t("home.form.title")}
        </h2>
        <SitePicker
          kept={kept.from}
          error={isMissing ? t("home.service.empty") : undefined}
          onTyped={() => setMissing(false)}
        />
        <DomainPicker kept={kept.to} />
        <Button
          type="submit"
          size="large"
          wide
          disabled={domains.length === 0}
          icon={<Mail aria-hidden size={18} />}
        >
          {t("home.get")}
        </Button>
        <p className={styles.promise}>{t("home.promise")}</p>
      </div>
    </form>
  );
}

function DomainPicker({ kept }: { kept: string }) {
  const t = useText();
  const language = useLanguage();
  const { domains } = useServerData();
  const none = domains.length === 0;
  const { select, onChange } = useChoice(domains[0]?.name ?? "", kept);
  return (
    <SelectField
      ref={select}
      label={t("home.domain")}
      name="to"
      disabled={none}
      onChange={onChange}
      choices={
        none
          ? [{ value: "", label: t("home.domain.none") }]
          : domains.map(({ name, price: each }) => ({
              value: name,
              label: isolated(`${name} · ${price(language, each)}`),
            }))
      }
    />
  );
}
