import { readFileSync } from "node:fs";
import { InvalidArgumentError } from "commander";
import { tlsWays, type TlsWay } from "../../contract/catalog.ts";
import * as imap from "../imap/imap.ts";
import { type Act, noDomain, operator, refused, ok, showCount, showTime, table } from "./answer.ts";
import type { Nouns } from "./nouns.ts";
import { readCount, readHostPort } from "./read.ts";

interface HostOptions {
  readonly imap: { readonly host: string; readonly port: number };
  readonly tls: TlsWay;
  readonly ca?: string;
  readonly knownCa?: true;
  readonly connections?: number;
  readonly logins?: number;
}

export function addHostCommands({ noun, verb, choice }: Nouns): void {
  const hosts = noun("hosts", "IMAP servers of hosted domains");
  verb(
    hosts,
    "add <domain>",
    "adds the IMAP server of a hosted domain, or changes its settings",
    (name: string, options: HostOptions) => addHost(name, options),
  )
    .requiredOption("--imap <host:port>", "where it is", readHostPort)
    .addOption(
      choice("--tls <how>", "none is for a server on this machine only", tlsWays).default("implicit"),
    )
    .option(
      "--ca <file>",
      "certificates (PEM) that its own must come from, instead of the known authorities",
      readCa,
    )
    .addOption(choice("--known-ca", "trusts the known authorities again").conflicts("ca"))
    .option("--connections <count>", "connections at a time, of all processes (20)", readCount(10_000))
    .option("--logins <count>", "logins in a minute (600)", readCount(1_000_000));
  verb(hosts, "list", "shows every IMAP server and its state", () => listHosts);
}

function readCa(path: string): string {
  const wrong = new InvalidArgumentError("A file with certificates in PEM is expected.");
  try {
    const certificates = imap.readCertificates(readFileSync(path, "utf8"));
    if (certificates !== undefined) return certificates;
  } catch (cause) {
    wrong.cause = cause;
  }
  throw wrong;
}

function addHost(name: string, options: HostOptions): Act {
  const { imap: where, tls, connections, logins } = options;
  const ca = options.knownCa === true ? null : options.ca;
  return async ({ db }) => {
    const wanted = { domain: name, ...where, tls, connections, logins, ca };
    const done = await imap.registerHost(db, wanted, operator);
    if (done === "tls needed")
      return refused("Without TLS others can read the passwords: only for servers on this machine.");
    if (done === "no domain") return refused(noDomain(name));
    if (done === "not hosted")
      return refused(`${name} is an own domain: its mail comes to us, so it has no IMAP server.`);
    return ok({ ...done, tls }, `The mailboxes of ${done.domain} are on ${done.imap} (TLS: ${tls}).`);
  };
}

/** Puts mailboxes on sale again that their server refused. */
export function restoreStock(name: string): Act {
  return async ({ db }) => {
    const done = await imap.restore(db, name, operator);
    if (done === "no domain") return refused(noDomain(name));
    return ok(done, `${showCount(done.restored)} mailboxes of ${done.domain} are on sale again.`);
  };
}

const listHosts: Act = async ({ db }) => {
  const hosts = await imap.listHosts(db);
  const text = table(
    hosts,
    [
      { title: "host", of: ({ host, port }) => `${host}:${port}` },
      { title: "tls", of: ({ tls, ownCa }) => `${tls ?? ""}${ownCa ? " (own ca)" : ""}` },
      { title: "domains", of: ({ domains }) => domains.join(" ") },
      { title: "open", of: ({ open, connections }) => `${open} of ${connections}`, right: true },
      { title: "waiting", of: ({ waiting }) => String(waiting), right: true },
      { title: "logins/min", of: ({ loginsPerMinute }) => String(loginsPerMinute), right: true },
      { title: "failures", of: ({ failures }) => String(failures), right: true },
      { title: "out of sale", of: ({ refused }) => String(refused), right: true },
      {
        title: "last error",
        of: ({ error, errorAt }) =>
          error === null || errorAt === null ? "" : `${showTime(errorAt)} ${error}`,
      },
    ],
    'There is no IMAP server yet: "hosts add <domain> --imap <host:port>" registers one.',
  );
  return ok(hosts, text);
};
