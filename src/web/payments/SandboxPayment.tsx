import { useState } from "react";
import { api, type Refused } from "../api.ts";
import { useAppText } from "../language.tsx";
import { refusalText } from "../refusalText.ts";
import { Button } from "../ui/button/Button.tsx";
import { CopyButton } from "../ui/button/CopyButton.tsx";
import styles from "./SandboxPayment.module.css";
import { useBusy } from "../useBusy.ts";

interface SandboxPaymentProps {
  id: string;
  reload: () => void;
}

/** Demo only: the buyer simulates the transfer. */
export function SandboxPayment({ id, reload }: SandboxPaymentProps) {
  const t = useAppText();
  const [isBusy, whileBusy] = useBusy();
  const [refused, setRefused] = useState<Refused<string>>();
  const play = async () => {
    const answer = await whileBusy(() => api.playPayment({ id }));
    setRefused(answer.ok ? undefined : answer);
    reload();
  };
  return (
    <div className={styles.play}>
      <p className={styles.title}>{t("pay.sandbox")}</p>
      <Button busy={isBusy} onClick={() => void play()}>
        {t("pay.sandbox.play")}
      </Button>
      {refused && (
        <p role="alert" className={styles.refused}>
          {refusalText(t, refused)}
        </p>
      )}
    </div>
  );
}

/** The operator's way to the same. */
export function SandboxCommand({ id }: { id: string }) {
  const t = useAppText();
  const command = `npm run shop -- payments confirm ${id}`;
  return (
    <div className={styles.operator}>
      <p>{t("pay.sandbox.text")}</p>
      <div className={styles.command}>
        <code dir="ltr" translate="no">
          {command}
        </code>
        <CopyButton text={command} label={t("pay.sandbox.copy")} />
      </div>
    </div>
  );
}
