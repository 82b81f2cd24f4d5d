import * as catalog from "../catalog/catalog.ts";
import { showUsd } from "../platform/money.ts";
import { type Act, ok, showCount, table } from "./answer.ts";
import { restoreStock } from "./hosts.ts";
import { importStock } from "./imports.ts";
import type { Nouns } from "./nouns.ts";

export function addDomainCommands({ noun, verb }: Nouns): void {
  const domains = noun("domains", "mail domains on sale");
  verb(domains, "list", "shows every mail domain", () => listDomains);
  const stock = noun("stock", "mailboxes");
  verb(
    stock,
    "import <domain> <file>",
    "adds your mailboxes of a hosted domain, one login:password in a line",
    (name: string, path: string) => importStock(name, path),
  );
  verb(stock, "restore <domain>", "puts mailboxes on sale again whose log-in was refused", (name: string) =>
    restoreStock(name),
  );
}

const listDomains: Act = async ({ db }) => {
  const domains = await catalog.listDomains(db);
  const json = domains.map((domain) => ({
    id: domain.id,
    name: domain.name,
    kind: domain.kind,
    price: showUsd(domain.price),
    mailboxes: Number(domain.live),
    on: domain.enabled,
    imap: domain.imap,
  }));
  const text = table(
    domains,
    [
      { title: "domain", of: (domain) => domain.name },
      { title: "kind", of: (domain) => domain.kind },
      { title: "price", of: (domain) => showUsd(domain.price), right: true },
      { title: "mailboxes", of: (domain) => showCount(domain.live), right: true },
      { title: "sale", of: (domain) => (domain.enabled ? "on" : "off") },
      { title: "imap", of: (domain) => domain.imap ?? "" },
    ],
    'There is no mail domain yet: "domains add <name> --price <usd>" puts one on sale.',
  );
  return ok(json, text);
};
