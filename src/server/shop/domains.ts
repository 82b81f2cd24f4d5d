import * as catalog from "../catalog/catalog.ts";
import { showUsd } from "../platform/money.ts";
import { type Act, ok, showCount, table } from "./answer.ts";
import { restoreStock } from "./hosts.ts";
import { importStock } from "./imports.ts";
import type { Nouns } from "./nouns.ts";
import { type Paged, pageOption } from "./read.ts";
import { column, list, type Row, time } from "./shares.ts";

export function addDomainCommands({ noun, verb }: Nouns): void {
  const domains = noun("domains", "mail domains on sale");
  verb(domains, "list", "shows every mail domain", () => listDomains);
  const prices = noun("prices", "prices of mail domains, of all sites and of one");
  const lists = (name: string, about: string, act: (page: number) => Act) =>
    verb(prices, name, about, ({ page }: Paged) => act(page)).option(...pageOption("twenty-five"));
  lists("list", "shows what applies, and what waits for its moment", (page) =>
    list("prices", page, priceColumns, "There is no mail domain yet."),
  );
  lists("history", "shows every change", (page) =>
    list("price_changes", page, changeColumns, "No price was changed yet."),
  );
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

const priceColumns = [
  column("domain", "domain"),
  column("site", "site"),
  column("price", "price", true),
  column("next", "next_price", true),
  { title: "from", of: ({ next_at: at }: Row) => time(at) },
];

const changeColumns = [
  column("change", "number", true),
  column("domain", "domain"),
  column("site", "site"),
  column("before", "before", true),
  column("after", "after", true),
  { title: "from", of: ({ starts }: Row) => time(starts) },
  column("state", "state"),
  { title: "made", of: ({ made }: Row) => time(made) },
  column("by", "by"),
  column("reason", "reason"),
];

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
