import { Send } from "lucide-react";
import { useState } from "react";
import type { Endpoints } from "../../../contract/api.ts";
import type { Reply } from "../../../contract/endpoint.ts";
import { api } from "../../api.ts";
import { moment } from "../../format.ts";
import { useOfficeText } from "../../language.tsx";
import { Button } from "../../ui/button/Button.tsx";
import { Notice } from "../../ui/feedback/Notice.tsx";
import { SelectField } from "../../ui/form/Select.tsx";
import { Setting, SettingList } from "./SettingList.tsx";
import { CopyLine, CopyLines } from "./CopyLine.tsx";
import styles from "./Setup.module.css";
import { type SetupState, useStepAction } from "./useSetup.ts";
import { setupRefusalText } from "./setupRefusalText.ts";
import { Exact } from "../../ui/display/Exact.tsx";

type Tried = Reply<Endpoints["sendTestLetter"]>;

const certificateLines = ["SMTP_TLS_CERT=/etc/ssl/mx.crt", "SMTP_TLS_KEY=/etc/ssl/mx.key"];

export function LetterStep({ setup: { domains, reception } }: { setup: SetupState }) {
  const t = useOfficeText();
  const own = domains.filter(({ kind, on }) => kind === "own" && on).map(({ name }) => name);
  const [first] = own;
  return (
    <>
      <p>{t("setup.letter.text")}</p>
      <SettingList>
        <Setting name={t("setup.letter.listener")} value={reception.listener} />
        <Setting name={t("setup.letter.name")} value={reception.name} />
        {reception.letter && (
          <Setting
            name={t(reception.letter.right ? "setup.letter.lastRight" : "setup.letter.lastWrong")}
            value={moment(reception.letter.at)}
          />
        )}
      </SettingList>
      {reception.letter?.current === false && <Notice tone="warn">{t("setup.letter.lastEarlier")}</Notice>}
      {first === undefined ? <Notice>{t("setup.letter.noDomain")}</Notice> : <SendLetter domains={own} />}
      {!reception.encrypted && (
        <>
          <Notice tone="warn">{t("setup.letter.open")}</Notice>
          <CopyLines lines={certificateLines} />
        </>
      )}
      {first !== undefined && (
        <div className={styles.lines}>
          <p>{t("setup.letter.outside")}</p>
          <CopyLine line={`postmaster@${first}`} />
          <p className={styles.soft}>
            {reception.outside_at === undefined
              ? t("setup.letter.outside.none")
              : t("setup.letter.outside.last", { at: moment(reception.outside_at) })}
          </p>
        </div>
      )}
    </>
  );
}

function SendLetter({ domains }: { domains: readonly string[] }) {
  const t = useOfficeText();
  const [chosen, choose] = useState(domains[0] ?? "");
  const { isBusy, data, refused, forget, run } = useStepAction<Tried>();
  const domain = domains.includes(chosen) ? chosen : (domains[0] ?? "");
  return (
    <>
      <div className={styles.form}>
        <SelectField
          label={t("setup.domain.name")}
          dir="ltr"
          choices={domains.map((name) => ({ value: name, label: name }))}
          value={domain}
          onChange={({ target }) => {
            choose(target.value);
            forget();
          }}
        />
        <Button
          busy={isBusy}
          icon={<Send aria-hidden size={17} />}
          onClick={() => void run(() => api.sendTestLetter({ domain }))}
        >
          {t("setup.letter.send")}
        </Button>
      </div>
      {refused && <Notice tone="bad">{setupRefusalText(t, refused)}</Notice>}
      {data && <Outcome tried={data} />}
    </>
  );
}

function Outcome({ tried: { to, listener, arrived, milliseconds, trouble, said } }: { tried: Tried }) {
  const t = useOfficeText();
  if (arrived) return <Notice tone="good">{t("setup.letter.arrived", { to: to, milliseconds })}</Notice>;
  return (
    <Notice tone="bad">
      {t(`setup.letter.${trouble ?? "lost"}`, { listener })}
      {said !== undefined && (
        <p>
          <Exact dir="ltr">{said}</Exact>
        </p>
      )}
    </Notice>
  );
}
