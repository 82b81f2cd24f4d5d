import { useOfficeText } from "../../language.tsx";
import { Notice } from "../../ui/feedback/Notice.tsx";
import { DnsCheck } from "./DnsCheck.tsx";
import { Setting, SettingList } from "./SettingList.tsx";
import { CopyLines } from "./CopyLine.tsx";
import type { SetupState } from "./useSetup.ts";

const relayLines = [
  "MAIL_URL=smtps://user:password@relay.example:465",
  'MAIL_FROM="Shop <no-reply@shop.example>"',
];
const keyLines = ["DKIM_KEY=/etc/postern/dkim.pem", "DKIM_SELECTOR=postern1"];

export function MailStep({ setup: { mail } }: { setup: SetupState }) {
  const t = useOfficeText();
  return (
    <>
      <p>{t("setup.mail.text")}</p>
      <SettingList>
        <Setting name={t("setup.mail.from")} value={mail.from} />
        {mail.relay !== undefined && <Setting name={t("setup.mail.relay")} value={mail.relay} />}
      </SettingList>
      {mail.relay === undefined ? (
        <>
          <Notice tone="warn">{t("setup.mail.none")}</Notice>
          <CopyLines lines={relayLines} />
        </>
      ) : (
        <DnsCheck domain={mail.domain} last={mail.dns} />
      )}
      {!mail.signed && (
        <>
          <p>{t("setup.mail.unsigned")}</p>
          <CopyLines lines={keyLines} />
        </>
      )}
    </>
  );
}
