import { useOfficeText } from "../language.tsx";
import type { OfficeObject, OfficeSection } from "../paths.ts";
import { adjustmentActions } from "./actions/adjustments.tsx";
import { batchActions } from "./actions/batches.tsx";
import { domainActions, domainTableActions } from "./actions/domains.tsx";
import { hostActions, hostTableActions } from "./actions/hosts.tsx";
import { paymentActions } from "./actions/payments.tsx";
import { investorActions, partnerActions } from "./actions/payouts.tsx";
import { priceActions, priceChangeActions, priceTableActions, severalPrices } from "./actions/prices.tsx";
import { questionActions } from "./actions/questions.tsx";
import { complaintActions, shareActions } from "./actions/shares.tsx";
import { siteActions, siteTableActions } from "./actions/sites.tsx";
import { taskActions, taskTableActions } from "./actions/tasks.tsx";
import { userActions, userLinks } from "./actions/users.tsx";
import { withdrawalActions } from "./actions/withdrawals.tsx";
import { Chains } from "./sections/Chains.tsx";
import { Audit } from "./sections/Audit.tsx";
import { Find } from "./sections/Find.tsx";
import { HeldEarnings } from "./sections/HeldEarnings.tsx";
import { Letters } from "./sections/Letters.tsx";
import { Overview } from "./sections/Overview.tsx";
import { Rates } from "./sections/Rates.tsx";
import { Setup } from "./setup/Setup.tsx";
import styles from "./Office.module.css";
import { TablePart } from "./table/TablePart.tsx";
import { TableView } from "./table/TableView.tsx";

interface SectionContentProps {
  section: Exclude<OfficeSection, OfficeObject>;
  title: string;
}

export function SectionContent({ section, title }: SectionContentProps) {
  switch (section) {
    case "overview":
      return <Overview />;
    case "setup":
      return <Setup />;
    case "domains":
      return (
        <TableView name="domains" title={title} actions={domainActions} tableActions={domainTableActions} />
      );
    case "prices":
      return <Prices title={title} />;
    case "pricechanges":
      return <PriceChanges title={title} />;
    case "hosts":
      return <TableView name="hosts" title={title} actions={hostActions} tableActions={hostTableActions} />;
    case "sites":
      return <TableView name="sites" title={title} actions={siteActions} tableActions={siteTableActions} />;
    case "letters":
      return <Letters />;
    case "outcomes":
      return <Outcomes title={title} />;
    case "find":
      return <Find />;
    case "users":
      return <TableView name="users" title={title} actions={userActions} links={userLinks} />;
    case "payments":
      return <TableView name="payments" title={title} actions={paymentActions} />;
    case "chains":
      return <Chains />;
    case "rates":
      return <Rates title={title} />;
    case "adjustments":
      return <Adjustments title={title} />;
    case "partners":
    case "held":
    case "investors":
    case "withdrawals":
      return <Payouts section={section} title={title} />;
    case "batches":
      return <TableView name="batches" title={title} actions={batchActions} />;
    case "shares":
      return <TableView name="shares" title={title} actions={shareActions} />;
    case "complaints":
      return <TableView name="complaints" title={title} actions={complaintActions} />;
    case "questions":
      return <TableView name="questions" title={title} actions={questionActions} />;
    case "tasks":
      return <Tasks title={title} />;
    case "health":
      return <Health title={title} />;
    case "security":
      return <Security title={title} />;
    case "days":
    case "orders":
    case "journal":
      return <TableView name={section} title={title} />;
  }
}

type PayoutsProps = { section: "partners" | "held" | "investors" | "withdrawals"; title: string };

function Payouts({ section, title }: PayoutsProps) {
  switch (section) {
    case "partners":
      return <TableView name="partners" title={title} actions={partnerActions} />;
    case "held":
      return <HeldEarnings title={title} />;
    case "investors":
      return <TableView name="investors" title={title} actions={investorActions} />;
    case "withdrawals":
      return <TableView name="withdrawals" title={title} actions={withdrawalActions} />;
  }
}

function Prices({ title }: { title: string }) {
  const t = useOfficeText();
  return (
    <>
      <p className={styles.lead}>{t("office.prices.lead")}</p>
      <TableView
        name="prices"
        title={title}
        actions={priceActions}
        tableActions={priceTableActions}
        chosenAction={severalPrices}
      />
      <TablePart
        isQuiet
        name="price_changes"
        title={t("office.prices.waits")}
        filters={waiting}
        without="state"
        whole={{ section: "pricechanges", query: { filters: "state:waits" } }}
      />
    </>
  );
}

const waiting = { state: "waits" };

function PriceChanges({ title }: { title: string }) {
  const t = useOfficeText();
  return (
    <>
      <p className={styles.lead}>{t("office.pricechanges.lead")}</p>
      <TableView name="price_changes" title={title} actions={priceChangeActions} />
    </>
  );
}

function Outcomes({ title }: { title: string }) {
  const t = useOfficeText();
  return (
    <>
      <p className={styles.lead}>{t("office.outcomes.lead")}</p>
      <TableView name="outcomes" title={title} />
    </>
  );
}

function Adjustments({ title }: { title: string }) {
  const t = useOfficeText();
  return (
    <>
      <p className={styles.lead}>{t("office.adjustments.lead")}</p>
      <TableView name="adjustments" title={title} actions={adjustmentActions} />
    </>
  );
}

function Tasks({ title }: { title: string }) {
  const t = useOfficeText();
  return (
    <>
      <p className={styles.lead}>{t("office.tasks.lead")}</p>
      <TablePart isQuiet name="targets" title={t("office.tasks.targets")} />
      <TableView name="tasks" title={title} actions={taskActions} tableActions={taskTableActions} />
    </>
  );
}

function Security({ title }: { title: string }) {
  const t = useOfficeText();
  return (
    <>
      <p className={styles.lead}>{t("office.security.lead")}</p>
      <TableView name="security" title={title} />
    </>
  );
}

function Health({ title }: { title: string }) {
  return (
    <>
      <Audit />
      <TableView name="jobs" title={title} />
    </>
  );
}
