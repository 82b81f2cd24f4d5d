import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { api } from "../api.ts";
import { useAccountText } from "../language.tsx";
import { RefusalNotice } from "../RefusalNotice.tsx";
import { refusalText } from "../refusalText.ts";
import { dataOf, refusedBy } from "../serverState.tsx";
import { Button } from "../ui/button/Button.tsx";
import { CopyButton } from "../ui/button/CopyButton.tsx";
import { Dialog } from "../ui/dialog/Dialog.tsx";
import { Exact } from "../ui/display/Exact.tsx";
import { QrCode } from "../ui/display/QrCode.tsx";
import { Loading } from "../ui/feedback/Loading.tsx";
import { Notice } from "../ui/feedback/Notice.tsx";
import { toast } from "../ui/feedback/toast.ts";
import { CodeBoxes } from "../ui/form/CodeBoxes.tsx";
import { useBusy } from "../useBusy.ts";
import styles from "./Factors.module.css";
import { NameField } from "./PasskeyDialog.tsx";

interface AppDialogProps {
  onClose: () => void;
  /** With the recovery codes that come with the first factor. */
  onAdded: (codes?: readonly string[]) => void;
}

const digits = 6;

export function AppDialog({ onClose, onAdded }: AppDialogProps) {
  const t = useAccountText();
  const id = useId();
  const [name, setName] = useState("");
  const [code, setCode] = useState("");
  const [isBusy, whileBusy] = useBusy();
  const [wrong, setWrong] = useState<{ name?: string; code?: string; form?: string }>({});
  // A secret of its own for each dialog.
  const begun = useQuery({
    queryKey: ["new app", id],
    queryFn: () => dataOf(api.beginApp({})),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const add = async (ticket: string) => {
    const added = await api.addApp({ name: name.trim(), ticket, code });
    if (added.ok) {
      if (!added.data.recovery_codes) toast("good", t("factors.done"));
      return onAdded(added.data.recovery_codes);
    }
    setWrong({ [added.value === "invalid code" ? "code" : "form"]: refusalText(t, added) });
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy || !begun.data) return;
    const missing = {
      ...(name.trim() === "" && { name: t("token.name.empty") }),
      ...(code.length < digits && { code: t("refusal.code") }),
    };
    setWrong(missing);
    if (Object.keys(missing).length === 0) void whileBusy(() => add(begun.data.ticket));
  };
  const footer = (
    <Button type="submit" form={id} wide size="large" busy={isBusy}>
      {t("factors.app.add")}
    </Button>
  );
  const refused = refusedBy(begun.error);
  return (
    <Dialog title={t("factors.app.add")} onClose={onClose} footer={footer}>
      <form id={id} noValidate onSubmit={submit} className={styles.form}>
        <p>{t("factors.app.scan")}</p>
        {begun.isPending && <Loading lines={3} />}
        {refused && <RefusalNotice refused={refused} onRetry={() => void begun.refetch()} />}
        {begun.data && <Secret secret={begun.data.secret} uri={begun.data.uri} />}
        <CodeBoxes label={t("factors.app.code")} value={code} error={wrong.code} onChange={setCode} />
        <NameField value={name} error={wrong.name} onChange={setName} />
        {wrong.form !== undefined && <Notice tone="bad">{wrong.form}</Notice>}
      </form>
    </Dialog>
  );
}

function Secret({ secret, uri }: { secret: string; uri: string }) {
  const t = useAccountText();
  return (
    <div className={styles.secret}>
      <QrCode text={uri} label={t("factors.app.qr")} size={184} />
      <p className={styles.soft}>{t("factors.app.secret")}</p>
      <div className={styles.key}>
        <code>
          <Exact>{secret.replace(/(.{4})(?=.)/g, "$1 ")}</Exact>
        </code>
        <CopyButton text={secret} />
      </div>
    </div>
  );
}
