import type { OfficeSection } from "../paths.ts";
import { batchActs } from "./acts/batches.tsx";
import { domainActs, domainBeginnings } from "./acts/domains.tsx";
import { hostActs, hostBeginnings } from "./acts/hosts.tsx";
import { paymentActs } from "./acts/payments.tsx";
import { investorActs, partnerActs } from "./acts/payouts.tsx";
import { complaintActs, shareActs } from "./acts/shares.tsx";
import { siteActs, siteBeginnings } from "./acts/sites.tsx";
import { userActs, userWays } from "./acts/users.tsx";
import { Chains } from "./Chains.tsx";
import { Health } from "./Health.tsx";
import { Held } from "./Held.tsx";
import { Letters } from "./Letters.tsx";
import { Overview } from "./Overview.tsx";
import { Rates } from "./Rates.tsx";
import { Setup } from "./setup/Setup.tsx";
import { TableView } from "./TableView.tsx";

/** What a section shows, and what can be done there. */
export function Content({ section, title }: { section: OfficeSection; title: string }) {
  switch (section) {
    case "overview":
      return <Overview />;
    case "setup":
      return <Setup />;
    case "domains":
      return <TableView name="domains" title={title} acts={domainActs} beginnings={domainBeginnings} />;
    case "hosts":
      return <TableView name="hosts" title={title} acts={hostActs} beginnings={hostBeginnings} />;
    case "sites":
      return <TableView name="sites" title={title} acts={siteActs} beginnings={siteBeginnings} />;
    case "letters":
      return <Letters />;
    case "users":
      return <TableView name="users" title={title} acts={userActs} ways={userWays} />;
    case "orders":
      return <TableView name="orders" title={title} />;
    case "payments":
      return <TableView name="payments" title={title} acts={paymentActs} />;
    case "chains":
      return <Chains />;
    case "rates":
      return <Rates title={title} />;
    case "partners":
      return <TableView name="partners" title={title} acts={partnerActs} />;
    case "held":
      return <Held title={title} />;
    case "investors":
      return <TableView name="investors" title={title} acts={investorActs} />;
    case "batches":
      return <TableView name="batches" title={title} acts={batchActs} />;
    case "shares":
      return <TableView name="shares" title={title} acts={shareActs} />;
    case "complaints":
      return <TableView name="complaints" title={title} acts={complaintActs} />;
    case "health":
      return <Health title={title} />;
    case "journal":
      return <TableView name="journal" title={title} />;
  }
}
