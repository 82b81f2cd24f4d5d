// Imports hosted mailboxes of the operator from a file with a login and a password per line.
import { createReadStream, existsSync } from "node:fs";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { readLogin } from "../../contract/login.ts";
import { findDomain } from "../catalog/catalog.ts";
import * as inventory from "../inventory/inventory.ts";
import * as journal from "../journal/journal.ts";
import type { Db } from "../platform/db/db.ts";
import { inUtf8 } from "../platform/http/upload.ts";
import { anotherKey, sealBeside } from "../platform/secret-key.ts";
import { type Act, noDomain, operator, refused, ok, showCount } from "./answer.ts";

/** Lines per transaction. */
const lotSize = 10_000;

interface Counts {
  added: number;
  /** Existing mailboxes: the password is replaced, a dead one is alive again. */
  renewed: number;
  rejected: { form: number; domain: number; twice: number; taken: number };
}

/** Adds the mailboxes of a file to a hosted domain. Never prints or logs a password, even of a wrong line. */
export function importStock(name: string, path: string): Act {
  return async ({ db, config, progress }) => {
    const domain = await findDomain(db, name);
    if (!domain) return refused(noDomain(name));
    if (domain.kind !== "hosted")
      return refused(`${domain.name} is an own domain: "stock add" makes its mailboxes.`);
    if (!existsSync(path)) return refused(`There is no file ${path}.`);
    const seal = await sealBeside(db, config);
    if (!seal) return refused(anotherKey);
    const before = { mailboxes: Number(domain.live) };
    await journal.note(db, { by: operator, did: "stock import", about: domain.name, before });
    const counts = await importLines(db, domain, path, seal.seal, (done) =>
      progress(`${domain.name}: ${showCount(done)} lines`),
    );
    const live = (await findDomain(db, name))?.live ?? 0n;
    await journal.note(db, {
      by: operator,
      did: "stock imported",
      about: domain.name,
      after: { ...counts, mailboxes: Number(live) },
    });
    const { added, renewed, rejected } = counts;
    const json = { domain: domain.name, added, renewed, rejected, mailboxes: Number(live) };
    return ok(json, tell(domain.name, counts, live));
  };
}

function tell(domain: string, { added, renewed, rejected }: Counts, live: bigint): string {
  const reasons = [
    [rejected.form, 'not of the form "login:password"'],
    [rejected.domain, "of another domain"],
    [rejected.twice, "twice in the file"],
    [rejected.taken, "of an investor"],
  ] as const;
  const lines = reasons.flatMap(([count, why]) =>
    count > 0 ? [`  ${showCount(count)} lines rejected: ${why}`] : [],
  );
  const first = `${showCount(added)} mailboxes added, ${showCount(renewed)} renewed; ${domain} has ${showCount(live)}.`;
  return [first, ...lines].join("\n");
}

async function importLines(
  db: Db,
  domain: { id: number; name: string },
  path: string,
  seal: (text: string) => Buffer,
  progress: (done: number) => void,
): Promise<Counts> {
  const counts: Counts = { added: 0, renewed: 0, rejected: { form: 0, domain: 0, twice: 0, taken: 0 } };
  const batchId = await inventory.addBatch(db, { title: `import into ${domain.name}` });
  let lot = new Map<string, Buffer>();
  const seen = new Set<string>();
  let done = 0;
  const flush = async () => {
    const { added, renewed } = await inventory.renewMailboxes(db, batchId, domain.id, lot);
    counts.added += added;
    counts.renewed += renewed;
    counts.rejected.taken += lot.size - added - renewed;
    lot = new Map();
    progress(done);
  };
  const input = Readable.from(inUtf8(createReadStream(path)));
  for await (const text of createInterface({ input, crlfDelay: Infinity })) {
    const read = readLine(text, domain.name);
    if (read === undefined) continue;
    done++;
    if (typeof read === "string") counts.rejected[read]++;
    else if (seen.has(read.part)) counts.rejected.twice++;
    else lot.set(read.part, seal(read.password));
    if (typeof read !== "string") seen.add(read.part);
    if (lot.size >= lotSize) await flush();
  }
  if (lot.size > 0) await flush();
  return counts;
}

/** Undefined for an empty line. */
function readLine(
  text: string,
  domain: string,
): { part: string; password: string } | "form" | "domain" | undefined {
  const login = readLogin(text);
  if (login === undefined) return undefined;
  if (login === "malformed") return "form";
  return login.domain === undefined || login.domain === domain ? login : "domain";
}
