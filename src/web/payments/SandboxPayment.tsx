import { useState } from "react";
import { api, type Refused } from "../api.ts";
import { useAppText } from "../language.tsx";
import { refusalText } from "../refusalText.ts";
import { Button } from "../ui/button/Button.tsx";
import { CopyButton } from "../ui/button/CopyButton.tsx";
import { Notice } from "../ui/feedback/Notice.tsx";
import styles from "./SandboxPayment.module.css";

/** Demo only: the buyer simulates the transfer, or the operator by a command. */
export function SandboxPayment({ id, reload }: { id: string; reload: () => void }) {
  const t = useAppText();
  const [isBusy, setBusy] = useState(false);
  const [refused, setRefused] = useState<Refused<string>>();
  const command = `npm run shop -- payments confirm ${id}`;
  const play = async () => {
    setBusy(true);
    const answer = await api.playPayment({ id });
    setBusy(false);
    setRefused(answer.ok ? undefined : answer);
    reload();
  };
  return (
    <Notice tone="info" title={t("pay.sandbox")}>
      <Button size="small" busy={isBusy} onClick={() => void play()}>
        {t("pay.sandbox.play")}
      </Button>
      <p>{t("pay.sandbox.text")}</p>
      <div className={styles.command}>
        <code dir="ltr">{command}</code>
        <CopyButton text={command} label={t("pay.sandbox.copy")} />
      </div>
      {refused && (
        <p role="alert" className={styles.refused}>
          {refusalText(t, refused)}
        </p>
      )}
    </Notice>
  );
}
