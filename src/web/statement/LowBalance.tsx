import { useQuery } from "@tanstack/react-query";
import { Bell, BellRing } from "lucide-react";
import { type FormEvent, useState } from "react";
import { api, type Refused } from "../api.ts";
import { useAccountText } from "../language.tsx";
import { DollarField } from "../programs/DollarField.tsx";
import styles from "../programs/Programs.module.css";
import { refusalText } from "../refusalText.ts";
import { dataOf, refusedBy } from "../serverState.tsx";
import { Button } from "../ui/button/Button.tsx";
import { IconButton } from "../ui/button/IconButton.tsx";
import { Dialog } from "../ui/dialog/Dialog.tsx";
import { Notice } from "../ui/feedback/Notice.tsx";
import { toast } from "../ui/feedback/toast.ts";
import { useBusy } from "../useBusy.ts";

/** The warning below a threshold: its button and its dialog. */
export function LowBalance() {
  const t = useAccountText();
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  const low = useQuery({
    queryKey: ["lowBalance"],
    queryFn: async ({ signal }) => (await dataOf(api.lowBalance({}, { signal }))).data,
  });
  const refused = refusedBy(low.error);
  const Icon = low.data?.threshold === undefined ? Bell : BellRing;
  return (
    <>
      <IconButton
        label={t("low.title")}
        icon={<Icon aria-hidden size={17} />}
        onClick={() => {
          setOpen(true);
          void low.refetch();
        }}
      />
      {isOpen && refused && (
        <Dialog title={t("low.title")} onClose={close}>
          <Notice tone="bad">{refusalText(t, refused)}</Notice>
        </Dialog>
      )}
      {isOpen && low.data && (
        <WarningDialog
          threshold={low.data.threshold}
          onClose={close}
          onDone={() => {
            close();
            void low.refetch();
          }}
        />
      )}
    </>
  );
}

interface WarningProps {
  threshold: string | undefined;
  onClose: () => void;
  onDone: () => void;
}

function WarningDialog({ threshold, onClose, onDone }: WarningProps) {
  const t = useAccountText();
  // Until something is typed the field shows what the server says last.
  const [typed, setTyped] = useState<string>();
  const amount = typed ?? (threshold === undefined ? "" : String(Number(threshold)));
  const [isBusy, whileBusy] = useBusy();
  const [refused, setRefused] = useState<Refused<string>>();
  const put = async (dollars: string) => {
    const answer = await whileBusy(() => api.setLowBalance({ threshold: dollars }));
    if (!answer.ok) return setRefused(answer);
    toast("good", t(dollars === "" ? "low.turnedOff" : "low.saved"));
    onDone();
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    // Nothing turns nothing off: there is a button for that.
    if (amount !== "") return void put(amount);
    setRefused({ ok: false, value: "threshold", more: {} });
    event.currentTarget.querySelector("input")?.focus();
  };
  const isWrong = refused?.value === "threshold";
  const footer = (
    <>
      {threshold !== undefined && (
        <Button tone="secondary" busy={isBusy} onClick={() => void put("")}>
          {t("low.off")}
        </Button>
      )}
      <Button type="submit" form="low-balance" busy={isBusy}>
        {t("low.do")}
      </Button>
    </>
  );
  return (
    <Dialog title={t("low.title")} onClose={onClose} footer={footer}>
      <form id="low-balance" noValidate className={styles.form} onSubmit={submit}>
        <p>{t("low.text")}</p>
        <DollarField
          label={t("low.amount")}
          error={isWrong ? t("refusal.threshold") : undefined}
          data-autofocus
          placeholder="5"
          value={amount}
          onChange={(dollars) => {
            setTyped(dollars);
            setRefused(undefined);
          }}
        />
        {refused && !isWrong && <Notice tone="bad">{refusalText(t, refused)}</Notice>}
      </form>
    </Dialog>
  );
}
