// Mail in the tables of the release before. Goes with them.
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { createDatabase } from "../../../test/kit/database.ts";
import { soon } from "../../../test/kit/soon.ts";
import { now, secondsAfter } from "../platform/clock.ts";
import { attempt } from "../platform/db/db.ts";
import { createLog } from "../platform/log.ts";
import { createSeal } from "../platform/seal.ts";
import { openMailer, queue } from "./mailer.ts";

const seal = createSeal(Buffer.alloc(32, 9));
const at = now();

test("mail that a process of the release before has written is sent, once, and none of it that is on its way there", async () => {
  const { db } = await createDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), "postern-notices-"));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const sealed = (values: object) => seal.seal(JSON.stringify(values));
  const later = secondsAfter(at, 600);
  await db`
    insert into notice (kind, address, language, sealed, created_at, due_at)
    values ('activation-code', 'ann@example.com', 'en', ${sealed({ code: "493817" })}, ${at}, ${at}),
           ('activation-code', 'bob@example.com', 'en', ${sealed({ code: "493818" })}, ${at}, ${later})`;
  await db`
    insert into users (email, name, password_hash, token_hash, token_sealed)
    values ('ann@example.com', 'ann', 'none', ${Buffer.alloc(32)}, '')`;
  await db`
    insert into owner_notice (user_id, kind, address, language, sealed, created_at, due_at)
    select id, 'token-added', email, 'en', ${sealed({ at: "2026-11-28T16:05:59.123Z", times: 7, link: "AbCdEfGhIjKlMnOpQrStUvW" })}, ${at}, ${at} from users`;
  const config = {
    mailUrl: undefined,
    mailFrom: "no-reply@shop.test",
    dkim: undefined,
    dataDir,
    publicUrl: "https://shop.test",
  };
  const log = createLog("silent");
  const senders = await Promise.all([1, 2].map(() => openMailer({ db, seal, config, log })));
  onTestFinished(async () => {
    for (const each of senders) await each.stop();
  });
  await Promise.all(senders.map((each) => each.sendDue()));
  await vi.waitFor(
    async () => expect(await db`select from task where done_at is not null`).toHaveLength(2),
    soon,
  );
  const outbox = join(dataDir, "outbox");
  const mails = await Promise.all(
    (await readdir(outbox)).map((file) => readFile(join(outbox, file), "utf8")),
  );
  expect(
    mails.map((mail) => /493817$|: 7$/m.exec(mail)?.[0] ?? "").toSorted((a, b) => a.localeCompare(b)),
  ).toEqual([": 7", "493817"]);
  expect(await db`select address from notice where due_at is not null`).toEqual([
    { address: "bob@example.com" },
  ]);
  expect(await db`select sealed, due_at from owner_notice`).toEqual([{ sealed: null, due_at: null }]);
  await attempt(db, async (tx) => {
    await queue(
      tx,
      seal,
      { to: "bob@example.com", kind: "activation-code", language: "en", values: { code: "1" } },
      { userId: 1n },
    );
    return undefined;
  });
  expect(await db`select from notice where due_at is not null or sealed is not null`).toEqual([]);
  expect(await senders[0]?.forget(secondsAfter(at, 6 * 86_400))).toBe(0);
  expect(await senders[0]?.forget(secondsAfter(at, 8 * 86_400))).toBe(3);
});
