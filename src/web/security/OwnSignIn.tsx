import { useState } from "react";
import { type Account, useAccount } from "../dashboard/account.ts";
import { useAccountText } from "../language.tsx";
import { ProgramsSection } from "../programs/ProgramsSection.tsx";
import { Button } from "../ui/button/Button.tsx";
import { Exact } from "../ui/display/Exact.tsx";
import { Row } from "./Access.tsx";
import { EmailForm } from "./EmailForm.tsx";
import { PasswordForm } from "./PasswordForm.tsx";
import styles from "./Security.module.css";

/** What the person signs in with. */
export function OwnSignIn() {
  const t = useAccountText();
  const { data: account, isPending, isFetching } = useAccount();
  const [changes, setChanges] = useState<Changed>();
  const close = () => setChanges(undefined);
  const isLoading = isPending && isFetching;
  if (!account && !isLoading) return null;
  return (
    <ProgramsSection
      id="own-title"
      title={t("own.title")}
      text={t("own.text")}
      action={null}
      isLoading={isLoading}
      refused={undefined}
      reload={close}
    >
      {account && <Rows account={account} changes={changes} change={setChanges} />}
    </ProgramsSection>
  );
}

type Changed = "password" | "email" | undefined;

interface RowsProps {
  account: Account;
  changes: Changed;
  change: (changed: Changed) => void;
}

function Rows({ account, changes, change }: RowsProps) {
  const t = useAccountText();
  const close = () => change(undefined);
  return (
    <>
      <ul className={styles.list}>
        <Row name={t("own.password")} facts={[t("own.password.text")]}>
          <Button tone="secondary" size="small" onClick={() => change("password")}>
            {t("own.password.change")}
          </Button>
        </Row>
        <Row name={t("own.email")} facts={[<Exact key="email">{account.email}</Exact>]}>
          {account.active && (
            <Button tone="secondary" size="small" onClick={() => change("email")}>
              {t("own.email.change")}
            </Button>
          )}
        </Row>
      </ul>
      {changes === "password" && <PasswordForm email={account.email} onClose={close} />}
      {changes === "email" && <EmailForm email={account.email} onClose={close} />}
    </>
  );
}
