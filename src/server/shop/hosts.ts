import { readFileSync } from "node:fs";
import { X509Certificate } from "node:crypto";
import { InvalidArgumentError } from "commander";
import * as catalog from "../catalog/catalog.ts";
import * as imap from "../imap/imap.ts";
import * as journal from "../journal/journal.ts";
import { isLoopbackHost } from "../kit/address.ts";
import { attempt } from "../kit/db.ts";
import { type Act, findDomain, noDomain, operator, refused, said, showTime, table } from "./answer.ts";
import type { Nouns } from "./program.ts";
import { readCount, readHostPort } from "./read.ts";

type Tls = "implicit" | "starttls" | "none";

interface HostOptions {
  readonly imap: { readonly host: string; readonly port: number };
  readonly tls: Tls;
  readonly ca?: string;
  readonly knownCa?: true;
  readonly connections?: number;
  readonly logins?: number;
}

/** Adds the commands for the IMAP servers of hosted domains. */
export function addHostCommands({ noun, verb, choice }: Nouns): void {
  const hosts = noun("hosts", "IMAP servers of hosted domains");
  verb(
    hosts,
    "add <domain>",
    "registers the IMAP server of a hosted domain, or changes how it is used",
    (name: string, options: HostOptions) => addHost(name, options),
  )
    .requiredOption("--imap <host:port>", "where it is", readHostPort)
    .addOption(
      choice("--tls <how>", "none is for a server on this machine only", [
        "implicit",
        "starttls",
        "none",
      ]).default("implicit"),
    )
    .option(
      "--ca <file>",
      "certificates (PEM) that its own must come from, instead of the known authorities",
      readCa,
    )
    .addOption(choice("--known-ca", "takes the known authorities again").conflicts("ca"))
    .option("--connections <count>", "connections at a time, of all processes (20)", readCount(10_000))
    .option("--logins <count>", "logins in a minute (600)", readCount(1_000_000));
  verb(hosts, "list", "shows every IMAP server and how it fares", () => listHosts);
}

/** The certificates of a file, checked: a wrong one would be found only by letters that do not come. */
function readCa(path: string): string {
  try {
    const pem = readFileSync(path, "utf8");
    const parts = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
    if (parts.length === 0) throw new Error("there is no certificate in it");
    return parts.map((part) => new X509Certificate(part).toString()).join("");
  } catch (cause) {
    const wrong = new InvalidArgumentError("A file with certificates in PEM is expected.");
    wrong.cause = cause;
    throw wrong;
  }
}

function addHost(name: string, options: HostOptions): Act {
  const { host, port } = options.imap;
  const { tls, connections, logins } = options;
  return async ({ db }) => {
    if (tls === "none" && !isLoopbackHost(host))
      return refused(
        "Without TLS the passwords could be read on the way, so it is for servers on this machine only.",
      );
    const domain = await findDomain(db, name);
    if (!domain) return refused(noDomain(name));
    const done = await attempt(db, async (tx) => {
      if (!(await catalog.addHost(tx, domain.name, { host, port, tls }))) return "own";
      const ca = options.knownCa === true ? null : options.ca;
      await imap.setHost(tx, host, port, { connections, loginsPerMinute: logins, ca });
      const after = { imap: `${host}:${port}`, tls, connections, logins, ownCa: options.ca !== undefined };
      await journal.note(tx, {
        by: operator,
        did: "hosts add",
        about: domain.name,
        before: { imap: domain.imap },
        after,
      });
      return true;
    });
    if (done === "own")
      return refused(`${domain.name} is an own domain: its mail comes to us, so it has no IMAP server.`);
    const json = { domain: domain.name, imap: `${host}:${port}`, tls };
    return said(json, `The mailboxes of ${domain.name} are on ${host}:${port} (TLS: ${tls}).`);
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
      {
        title: "last error",
        of: ({ error, errorAt }) =>
          error === null || errorAt === null ? "" : `${showTime(errorAt)} ${error}`,
      },
    ],
    'There is no IMAP server yet: "hosts add <domain> --imap <host:port>" registers one.',
  );
  return said(hosts, text);
};
