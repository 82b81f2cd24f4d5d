import { useState } from "react";
import type { Refused } from "../api.ts";
import { useAppText } from "../language.tsx";
import { refusalText } from "../refusalText.ts";
import { Button } from "../ui/button/Button.tsx";
import { CopyButton } from "../ui/button/CopyButton.tsx";
import { useBusy } from "../useBusy.ts";
import styles from "./PaymentAct.module.css";

interface PaymentActProps {
  title: string;
  label: string;
  act: () => Promise<{ ok: true } | Refused<string>>;
  reload: () => void;
}

/** A sentence and a button that does something to the payment, with the reason when it was refused. */
export function PaymentAct({ title, label, act, reload }: PaymentActProps) {
  const t = useAppText();
  const [isBusy, whileBusy] = useBusy();
  const [refused, setRefused] = useState<Refused<string>>();
  const press = async () => {
    const answer = await whileBusy(act);
    setRefused(answer.ok ? undefined : answer);
    reload();
  };
  return (
    <div className={styles.act}>
      <p className={styles.title}>{title}</p>
      <Button busy={isBusy} onClick={() => void press()}>
        {label}
      </Button>
      {refused && (
        <p role="alert" className={styles.refused}>
          {refusalText(t, refused)}
        </p>
      )}
    </div>
  );
}

/** How the operator simulates the transfer of a sandbox payment. */
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
