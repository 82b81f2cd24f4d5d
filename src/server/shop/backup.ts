// Backups of a shop: written while it sells, tried out in a place that is thrown away, and restored.
import { writeFileSync } from "node:fs";
import { chmod, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import * as journal from "../journal/journal.ts";
import { auditShop, brokenIn } from "../office/office.ts";
import { paymentsOf } from "../payments/payments.ts";
import {
  checkBackup,
  type Restored,
  restoreBackup,
  type Source,
  Unusable,
  writeBackup,
} from "../platform/backup/backup.ts";
import { makeKeys } from "../platform/backup/keys.ts";
import type { Config } from "../platform/config/config.ts";
import { checkServer } from "../platform/db/check-server.ts";
import { connect, type Db } from "../platform/db/db.ts";
import { startEmbedded } from "../platform/db/embedded.ts";
import { openIds } from "../platform/ids.ts";
import { isKeyOf } from "../platform/secret-key.ts";
import {
  type Act,
  type Answer,
  type CommandContext,
  ok,
  operator,
  refused,
  showCount,
  showTime,
  withoutDatabase,
  withoutSchema,
} from "./answer.ts";
import type { Nouns } from "./nouns.ts";
import { withDatabase } from "./run.ts";

export function addBackupCommands({ program, verb }: Nouns): void {
  verb(
    program,
    "backup <folder>",
    "writes a backup into a folder, while the shop runs or not, and prints its name",
    (folder: string) => back(resolve(folder)),
  );
  verb(
    program,
    "verify <backup>",
    "restores a backup in a place that is thrown away, audits it there, and says what it found",
    (path: string) => verify(resolve(path)),
  );
  verb(
    program,
    "restore <backup>",
    "fills an empty DATA_DIR, or the empty database of DATABASE_URL, with a backup",
    (path: string) => restore(resolve(path)),
  );
  verb(
    program,
    "backup-key <file>",
    "makes a pair of keys for backups: the private one into a new file, the public one on stdout",
    (path: string) => makePair(resolve(path)),
  );
}

/** Makes a sentence of what an act cannot use. */
async function orRefused(work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work();
  } catch (fault) {
    if (fault instanceof Unusable) return refused(fault.message);
    throw fault;
  }
}

const notEncrypted =
  "The backup is not encrypted (BACKUP_KEY is unset): it holds letters and addresses, so keep it where nobody else reads it.";
const withKey = "It holds secret.key, too: whoever reads it has everything that this shop has.";
const withoutKey =
  "It does not hold SECRET_KEY, without which tokens and sealed passwords are lost: keep that elsewhere.";

const back = (folder: string): Act =>
  withoutSchema((context) =>
    orRefused(async () => {
      const { db, config, progress } = context;
      const { backupKey: publicKey, dataDir } = config;
      const isEmbedded = config.databaseUrl === undefined;
      const made = await writeBackup({ db, dataDir, isEmbedded, folder, publicKey });
      await journal.note(db, { by: operator, did: "backup write", about: made.path });
      if (!made.isEncrypted) progress(notEncrypted);
      progress(made.hasKey ? withKey : withoutKey);
      const { path, at, sizeBytes, rows, tookSeconds, isEncrypted: encrypted, hasKey } = made;
      return ok(
        {
          backup: path,
          at,
          size_bytes: sizeBytes,
          rows,
          seconds: rounded(tookSeconds),
          encrypted,
          has_key: hasKey,
        },
        path,
      );
    }),
  );

const rounded = (seconds: number) => Math.round(seconds * 10) / 10;

const sourceOf = (path: string, { backupPrivateKey: privateKey }: Config): Source => ({ path, privateKey });

const verify = (path: string): Act =>
  withoutDatabase((context) =>
    orRefused(async () => {
      const source = sourceOf(path, context.config);
      const whole = await checkBackup(source);
      return inThrowAway(context, async (db, dataDir) => {
        const restored = await restoreBackup(source, whole, { db, dataDir, progress: context.progress });
        await openIds(db);
        const config = { ...context.config, dataDir };
        const key = await isKeyOf(db, config);
        const books = { db, payments: paymentsOf({ db, config, log: context.log }) };
        const invariants = await auditShop(books, { scope: "all" });
        const broken = brokenIn(invariants);
        const found = {
          ...asFound(restored, key),
          invariants: invariants.length,
          broken: broken.map(({ name, bad }) => ({ name, bad })),
        };
        const sentences = [
          ...sentencesOf(restored, key),
          `${invariants.length - broken.length} of ${invariants.length} invariants hold.`,
        ];
        const answer = ok(found, sentences.join("\n"));
        return broken.length === 0
          ? answer
          : {
              ...answer,
              refused: `What does not hold in the backup: ${broken.map(({ name, bad }) => `${name} (${bad.join(", ")})`).join("; ")}.`,
            };
      });
    }),
  );

/** An embedded database of which nothing is left. */
async function inThrowAway(
  { log }: Pick<CommandContext, "log">,
  use: (db: Db, dataDir: string) => Promise<Answer>,
): Promise<Answer> {
  const dataDir = await mkdtemp(join(tmpdir(), "postern-verify-"));
  let cluster = dataDir;
  try {
    // The user that PostgreSQL runs as may pass through, and sees nothing of it.
    await chmod(dataDir, 0o711);
    const embedded = await startEmbedded({ dataDir, log, throwaway: true });
    // Elsewhere, where that user may not pass.
    cluster = await realpath(join(dataDir, "postgres"));
    const db = connect(embedded.url, { max: 4, name: "postern-verify" });
    try {
      return await use(db, dataDir);
    } finally {
      await db.end({ timeout: 5 });
      await embedded.stop();
    }
  } finally {
    for (const path of [cluster, dataDir]) await rm(path, { recursive: true, force: true });
  }
}

const restore = (path: string): Act =>
  withoutDatabase((context) =>
    orRefused(async () => {
      const { config, progress } = context;
      const source = sourceOf(path, config);
      // Before there is a database: what is refused leaves no trace.
      const whole = await checkBackup(source);
      if (config.databaseUrl !== undefined) await checkServer(config.databaseUrl, config.databaseSessionUrl);
      return withDatabase(context, async (db) => {
        const restored = await restoreBackup(source, whole, { db, dataDir: config.dataDir, progress });
        await openIds(db);
        const at = restored.contents.at;
        await journal.note(db, { by: operator, did: "backup restore", about: path, after: { at } });
        const key = await isKeyOf(db, config);
        return ok(asFound(restored, key), sentencesOf(restored, key).join("\n"));
      });
    }),
  );

type Key = Awaited<ReturnType<typeof isKeyOf>>;

function asFound({ contents, rows, isEncrypted, left, migrated, files }: Restored, key: Key) {
  return { at: contents.at, encrypted: isEncrypted, rows, left, migrated, files, key };
}

const keySentences: Record<Key, string> = {
  fits: "The key fits it.",
  none: "It was never started with any key.",
  missing:
    "Its key is missing: set SECRET_KEY, or put secret.key into DATA_DIR. If it is lost for good, `npm run shop -- secret accept` takes " +
    "another one; what is lost then: tokens and webhook secrets (programs need new ones), passwords of hosted mailboxes (stock import), " +
    "second factors, mail that waits. Balances, orders and letters stay, and people log in with their passwords.",
  another:
    "SECRET_KEY (or secret.key in DATA_DIR) is another key than the one that sealed it: put that one there before the shop is started.",
};

/** What was found, in sentences. */
function sentencesOf({ contents, rows, isEncrypted, left, migrated }: Restored, key: Key): string[] {
  const count = Object.values(rows).reduce((sum, each) => sum + each, 0);
  const tables = Object.keys(rows).length;
  const kind = isEncrypted ? "The backup, encrypted," : "The backup, not encrypted,";
  return [
    `${kind} shows the shop of ${showTime(new Date(contents.at))}: ${showCount(count)} rows of ${tables} tables are restored.`,
    ...(left.length > 0 ? [`Not of the shop, and left out: ${left.join(", ")}.`] : []),
    ...(migrated.length > 0 ? [`It was migrated to this program: ${migrated.join(", ")}.`] : []),
    keySentences[key],
  ];
}

const makePair = (path: string): Act =>
  withoutDatabase(async ({ progress }) => {
    const { publicKey, privateKey } = makeKeys();
    try {
      writeFileSync(path, `${privateKey}\n`, { flag: "wx", mode: 0o600 });
    } catch (fault) {
      if ((fault as NodeJS.ErrnoException).code !== "EEXIST") throw fault;
      return refused(`${path} is there already: a key is never written over another.`);
    }
    progress(
      `Keep ${path} away from this machine: without it nobody can read a backup that is encrypted for it.`,
    );
    return ok({ public: publicKey, file: path }, `BACKUP_KEY=${publicKey}`);
  });
