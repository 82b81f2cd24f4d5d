import type { DocumentedName } from "../../contract/examples.ts";
import type { SandboxSite } from "../../contract/sandbox.ts";

type Ask = Readonly<Record<string, string>>;

/** The order, the site and the mail domains in the examples of the contract. */
const written = { id: "40000000001", site: "instagram.com", domain: "letters.test,mailroom.test" };

interface Known {
  readonly site: string;
  /** On sale here, the preselected one first. */
  readonly domains: readonly string[];
  /** The last order of this page. */
  readonly id: string;
}

/** Puts what the reader's shop and account have in place of the examples' site, mail domains and order. */
export function filledWith({ site, domains, id }: Known): (ask: Ask) => Ask {
  const values: Partial<Record<string, string>> = {
    [written.id]: id,
    [written.site]: site,
    [written.domain]: domains.slice(0, 2).join(","),
  };
  return (ask) =>
    Object.fromEntries(Object.entries(ask).map(([name, value]) => [name, values[value] || value]));
}

/** What a call is tried with unless the reader types something else: free, and it works in every shop. */
export function tryValues(name: DocumentedName, domain: string | undefined): Record<string, string> {
  const site = "sandbox-ok" satisfies SandboxSite;
  const known: Partial<Record<DocumentedName, Record<string, string>>> = {
    orderEmail: { site, ...(domain === undefined ? {} : { domain }) },
    quantity: { site },
    activations: { page: "1" },
    history: { offset: "1" },
    payments: { offset: "1" },
    batches: { limit: "10", offset: "0" },
    addToken: { name: "checker", budget_day: "1" },
    createPayment: { wallet: "usdttrc20", amount: "1" },
  };
  return known[name] ?? {};
}
