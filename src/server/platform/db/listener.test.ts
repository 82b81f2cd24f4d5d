import { expect, onTestFinished, test, vi } from "vitest";
import { createDatabase } from "../../../../test/kit/database.ts";
import { notify } from "./db.ts";
import { openListener } from "./listener.ts";
import { soon } from "../../../../test/kit/soon.ts";

const { db } = await createDatabase();

async function listening() {
  const heard: string[] = [];
  let hearing = Promise.withResolvers<void>();
  let deaf = Promise.withResolvers<void>();
  const listener = openListener(db, {
    received: (channel, payload) => heard.push(`${channel}: ${payload}`),
    lost: () => deaf.resolve(),
    back: () => hearing.resolve(),
  });
  onTestFinished(() => listener.close());
  await listener.listen("test");
  await hearing.promise;
  return {
    listener,
    heard,
    async breaks(how: () => Promise<unknown> | void) {
      [hearing, deaf] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      await how();
      await deaf.promise;
      await hearing.promise;
    },
  };
}

const cut = () => db`
  select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and query ilike 'listen%' or query ilike '%pg_notify%' and pid <> pg_backend_pid()`;

test("what is committed is heard, whoever said it", async () => {
  const { listener, heard } = await listening();
  await notify(db, "test", "one");
  await listener.notify("test", "two");
  await vi.waitFor(() => expect(heard).toEqual(["test: one", "test: two"]), soon);
});

test("a connection that is cut is known to be lost, and heard again", async () => {
  const { heard, breaks } = await listening();
  await breaks(cut);
  await notify(db, "test", "after");
  await vi.waitFor(() => expect(heard).toEqual(["test: after"]), soon);
});

test("a connection that seems dead can be given up for another", async () => {
  const { listener, heard, breaks } = await listening();
  await breaks(() => listener.restart());
  await listener.notify("test", "after");
  await vi.waitFor(() => expect(heard).toEqual(["test: after"]), soon);
});
