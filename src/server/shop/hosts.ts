import * as imap from "../imap/imap.ts";
import { type Act, noDomain, operator, refused, ok, showCount, showTime, table } from "./answer.ts";
import type { Nouns } from "./nouns.ts";

export function addHostCommands({ noun, verb }: Nouns): void {
  const hosts = noun("hosts", "IMAP servers of hosted domains");
  verb(hosts, "list", "shows every IMAP server and its state", () => listHosts);
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
