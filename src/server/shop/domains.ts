import type { Command } from "commander";
import * as catalog from "../catalog/catalog.ts";
import * as inventory from "../inventory/inventory.ts";
import { showUsd, type Usd } from "../platform/money.ts";
import { type Act, noDomain, operator, refused, ok, showCount, table } from "./answer.ts";
import { restoreStock } from "./hosts.ts";
import { importStock } from "./imports.ts";
import type { Nouns } from "./nouns.ts";
import { readCount, readPrice } from "./read.ts";

type Kind = "own" | "hosted";

const stockMax = 10_000_000;

export function addDomainCommands({ noun, verb, choice }: Nouns): void {
  const domains = noun("domains", "mail domains on sale");
  verb(
    domains,
    "add <name>",
    "puts a mail domain on sale",
    (name: string, options: { price: Usd; kind: Kind }) => addDomain(name, options.price, options.kind),
  )
    .requiredOption("--price <usd>", "what one address costs, in dollars", readPrice)
    .addOption(
      choice("--kind <kind>", "own: its mail comes to us; hosted: an IMAP server has it", [
        "own",
        "hosted",
      ]).default("own"),
    );
  verb(domains, "list", "shows every mail domain", () => listDomains);
  const set: Command = verb(
    domains,
    "set <name>",
    "changes the price of a mail domain, or takes it off or on sale",
    (name: string, options: { price?: Usd; off?: true; on?: true }) => {
      if (options.price === undefined && !options.off && !options.on)
        set.error("error: nothing to change: give --price, --off or --on");
      const enabled = options.on === undefined && options.off === undefined ? undefined : options.on === true;
      return setDomain(name, options.price, enabled);
    },
  )
    .option("--price <usd>", "what one address costs from now on, in dollars", readPrice)
    .addOption(choice("--off", "takes it off sale; open orders still get their letters").conflicts("on"))
    .addOption(choice("--on", "puts it on sale again"));

  const stock = noun("stock", "mailboxes");
  verb(stock, "add <domain> <count>", "makes mailboxes of an own domain", (name: string, count: string) =>
    addStock(name, readCount(stockMax)(count)),
  );
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

function addDomain(name: string, price: Usd, kind: Kind): Act {
  return async ({ db }) => {
    const added = await catalog.sellDomain(db, { name, price, kind }, operator);
    if (added === "domain exists")
      return refused(`The mail domain ${name} exists already; "domains set" changes it.`);
    if (typeof added === "string") return refused(`"${name}" is not a domain name.`);
    const json = { ...added, price: showUsd(price), kind };
    const domain = added.name;
    const next = kind === "own" ? `stock add ${domain} <count>` : `hosts add ${domain} --imap <host:port>`;
    return ok(json, `${domain} is on sale for ${showUsd(price)}. Next: ${next}`);
  };
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

function setDomain(name: string, price: Usd | undefined, enabled: boolean | undefined): Act {
  return async ({ db }) => {
    const change = {
      ...(price === undefined ? {} : { price }),
      ...(enabled === undefined ? {} : { enabled }),
    };
    const changed = await catalog.changeDomain(db, name, change, operator);
    if (changed === "no domain") return refused(noDomain(name));
    const json = { name: changed.name, price: showUsd(changed.price as Usd), on: changed.enabled };
    return ok(json, `${json.name} costs ${json.price} and is ${json.on ? "on" : "off"} sale.`);
  };
}

function addStock(name: string, count: number): Act {
  return async ({ db, progress }) => {
    const ordered = await inventory.orderUp(db, { domain: name, count }, operator, (done, domain) =>
      progress(`${domain}: ${showCount(done)} of ${showCount(count)} mailboxes`),
    );
    if (ordered === "no domain") return refused(noDomain(name));
    if (ordered === "not own")
      return refused(
        `The mailboxes of ${name} are on its IMAP server, so they cannot be made here: "stock import".`,
      );
    const { domain, added, mailboxes } = ordered;
    return ok(ordered, `${showCount(added)} mailboxes added; ${domain} has ${showCount(mailboxes)}.`);
  };
}
