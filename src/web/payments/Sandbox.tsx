import { useState } from "react";
import { api, type Refused } from "../api.ts";
import { useAccount } from "../dashboard/account.ts";
import { useAppText } from "../language.tsx";
import { refusalText } from "../refusalText.ts";
import { Button } from "../ui/Button.tsx";
import { CopyButton } from "../ui/CopyButton.tsx";
import { Notice } from "../ui/Notice.tsx";
import styles from "./Sandbox.module.css";

/** In the demo nobody pays: says how to play the payer, and lets an administrator do it here. */
export function Sandbox({ id, reload }: { id: string; reload: () => void }) {
  const t = useAppText();
  const account = useAccount();
  const [isBusy, setBusy] = useState(false);
  const [refused, setRefused] = useState<Refused<string>>();
  const command = `npm run shop -- payments confirm ${id}`;
  const play = async () => {
    setBusy(true);
    const answer = await api.confirmPayment({ id });
    setBusy(false);
    setRefused(answer.ok ? undefined : answer);
    reload();
  };
  return (
    <Notice tone="info" title={t("pay.sandbox")}>
      <p>{t("pay.sandbox.text")}</p>
      <div className={styles.command}>
        <code dir="ltr">{command}</code>
        <CopyButton text={command} label={t("pay.sandbox.copy")} />
      </div>
      {account.data?.is_admin && (
        <Button size="small" busy={isBusy} onClick={() => void play()}>
          {t("pay.sandbox.play")}
        </Button>
      )}
      {refused && (
        <p role="alert" className={styles.refused}>
          {refusalText(t, refused)}
        </p>
      )}
    </Notice>
  );
}
