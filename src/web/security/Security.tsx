import { openAuth } from "../auth/authDialog.ts";
import { AccountPage } from "../dashboard/AccountPage.tsx";
import { useAccount } from "../dashboard/account.ts";
import { useAccountText } from "../language.tsx";
import { useToken } from "../session.ts";
import { Button } from "../ui/button/Button.tsx";
import { Notice } from "../ui/feedback/Notice.tsx";
import { Access } from "./Access.tsx";
import { Factors } from "./Factors.tsx";
import { History } from "./History.tsx";
import { OwnSignIn } from "./OwnSignIn.tsx";
import { Sessions } from "./Sessions.tsx";
import { YourData } from "./YourData.tsx";

export function Security() {
  const t = useAccountText();
  return (
    <AccountPage title={t("security.title")} lead={t("security.lead")}>
      <Sections />
    </AccountPage>
  );
}

function Sections() {
  const token = useToken();
  const { data: account } = useAccount();
  const isByToken = account?.token === token;
  return (
    <>
      {isByToken ? (
        <ByToken />
      ) : (
        <>
          <OwnSignIn />
          <Factors />
          <Sessions />
        </>
      )}
      <Access />
      {!isByToken && <History />}
      {!isByToken && <YourData />}
    </>
  );
}

/** The page holds the token of programs itself: that is no session, and ends nowhere. */
function ByToken() {
  const t = useAccountText();
  return (
    <Notice
      tone="warn"
      title={t("security.byToken")}
      action={
        <Button tone="secondary" size="small" onClick={() => openAuth("login", { to: location.pathname })}>
          {t("security.byToken.do")}
        </Button>
      }
    >
      {t("security.byToken.text")}
    </Notice>
  );
}
