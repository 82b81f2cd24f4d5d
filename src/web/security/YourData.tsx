import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { openThings, type OpenThing } from "../../contract/account/owner.ts";
import type { AccountKey } from "../../i18n/t.ts";
import { api, fetchFile } from "../api.ts";
import forms from "../auth/forms.module.css";
import { useAccount } from "../dashboard/account.ts";
import { DownloadButton } from "../DownloadButton.tsx";
import { exactPrice } from "../format.ts";
import { useAccountText, useLanguage } from "../language.tsx";
import { ProgramsSection } from "../programs/ProgramsSection.tsx";
import { RefusalNotice } from "../RefusalNotice.tsx";
import { refusalText } from "../refusalText.ts";
import { dataOf, refusedBy } from "../serverState.tsx";
import { goHome } from "../session.ts";
import { forgetPerson } from "../stored.ts";
import { Button } from "../ui/button/Button.tsx";
import { Dialog } from "../ui/dialog/Dialog.tsx";
import { Loading } from "../ui/feedback/Loading.tsx";
import { Notice } from "../ui/feedback/Notice.tsx";
import { toast } from "../ui/feedback/toast.ts";
import { TextField } from "../ui/form/Input.tsx";
import { useBusy } from "../useBusy.ts";
import { Row } from "./Access.tsx";
import styles from "./Security.module.css";

/** All that is kept of the account as a file, and the end of the account. */
export function YourData() {
  const t = useAccountText();
  const { data: account } = useAccount();
  const [closes, setCloses] = useState(false);
  return (
    <ProgramsSection
      id="data-title"
      title={t("data.title")}
      text={t("data.text")}
      action={null}
      isLoading={false}
      refused={undefined}
      reload={() => undefined}
    >
      <ul className={styles.list}>
        <Row name={t("data.export")} facts={[t("data.export.text")]}>
          <DownloadButton
            name="data"
            type="json"
            fetchFile={() => fetchFile("ownData", {})}
            refusalText={(refused) => refusalText(t, refused)}
          >
            {t("data.export.do")}
          </DownloadButton>
        </Row>
        <Row name={t("data.close")} facts={[t("data.close.text")]}>
          <Button tone="danger" size="small" onClick={() => setCloses(true)}>
            {t("data.close.do")}
          </Button>
        </Row>
      </ul>
      {closes && account && <CloseDialog email={account.email} onClose={() => setCloses(false)} />}
    </ProgramsSection>
  );
}

const openTexts: Readonly<Record<OpenThing, AccountKey>> = {
  orders: "data.open.orders",
  payments: "data.open.payments",
  reports: "data.open.reports",
  earnings: "data.open.earnings",
  batches: "data.open.batches",
  withdrawals: "data.open.withdrawals",
  role: "data.open.role",
};
const goes = ["data.goes.person", "data.goes.access", "data.goes.letters"] as const;
const stays = ["data.stays.books", "data.stays.telegram"] as const;

/** Says what goes, what stays and what is given up; the address is typed as the confirmation. */
function CloseDialog({ email, onClose }: { email: string; onClose: () => void }) {
  const t = useAccountText();
  const standing = useQuery({
    queryKey: ["closing"],
    queryFn: async ({ signal }) => (await dataOf(api.closing({}, { signal }))).data,
    staleTime: 0,
    gcTime: 0,
  });
  const refused = refusedBy(standing.error);
  const open = openThings.filter((what) => standing.data?.open[what] !== undefined);
  return (
    <Dialog title={t("data.close.title")} onClose={onClose}>
      {standing.isPending && standing.isFetching && <Loading lines={4} />}
      {refused && <RefusalNotice refused={refused} onRetry={() => void standing.refetch()} />}
      {open.length > 0 && (
        <Notice tone="warn" title={t("data.open.title")}>
          <List texts={open.map((what) => t(openTexts[what], { count: standing.data?.open[what] ?? 0 }))} />
        </Notice>
      )}
      {standing.data && open.length === 0 && (
        <CloseForm email={email} amount={standing.data.give_up} reload={() => void standing.refetch()} />
      )}
    </Dialog>
  );
}

function Consequences() {
  const t = useAccountText();
  return (
    <>
      <section className={forms.keep}>
        <h3>{t("data.goes.title")}</h3>
        <List texts={goes.map((key) => t(key))} />
      </section>
      <section className={forms.keep}>
        <h3>{t("data.stays.title")}</h3>
        <List texts={stays.map((key) => t(key))} />
      </section>
    </>
  );
}

function List({ texts }: { texts: readonly string[] }) {
  return (
    <ul className={forms.list}>
      {texts.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  );
}

interface CloseFormProps {
  email: string;
  /** What is left and would be given up. */
  amount: string;
  reload: () => void;
}

function CloseForm({ email, amount, reload }: CloseFormProps) {
  const t = useAccountText();
  const language = useLanguage();
  const [typed, setTyped] = useState("");
  const [agreed, setAgreed] = useState<string>();
  const [isBusy, whileBusy] = useBusy();
  const hasMoney = Number(amount) > 0;
  // Another sum needs another consent.
  const agrees = agreed === amount;
  const mayClose = typed.trim().toLowerCase() === email && (agrees || !hasMoney);
  const close = async () => {
    const answer = await whileBusy(() => api.closeAccount({ email, ...(hasMoney && { give_up: amount }) }));
    if (!answer.ok) {
      toast("bad", refusalText(t, answer));
      return reload();
    }
    toast("good", t("data.close.done"));
    // The session has ended with the account: there is nothing to sign out of.
    const restore = forgetPerson();
    goHome();
    restore();
  };
  return (
    <form
      className={forms.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (mayClose && !isBusy) void close();
      }}
    >
      <Consequences />
      {hasMoney && (
        <div className={forms.keep}>
          <label>
            <input
              type="checkbox"
              checked={agrees}
              onChange={({ target }) => setAgreed(target.checked ? amount : undefined)}
            />
            <span>{t("data.giveUp", { amount: exactPrice(language, amount) })}</span>
          </label>
          <p>{t("data.giveUp.text")}</p>
        </div>
      )}
      <TextField
        label={t("data.close.type", { email })}
        name="email"
        type="email"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        dir="ltr"
        defaultValue=""
        onChange={({ target }) => setTyped(target.value)}
      />
      <Button type="submit" tone="danger" size="large" wide busy={isBusy} disabled={!mayClose}>
        {t("data.close.do")}
      </Button>
    </form>
  );
}
