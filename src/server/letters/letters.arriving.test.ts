import { expect, test } from "vitest";
import { createDatabase } from "../../../test/kit/database.ts";
import { Arriving } from "./letters.arriving.ts";

const { db } = await createDatabase();
const faults: unknown[] = [];
const log = { error: (fault: unknown) => faults.push(fault) };

const noted = async () => {
  const rows = await db<{ id: bigint }[]>`select mailbox_id as id from letter_arriving order by 1`;
  return rows.map(({ id }) => id);
};

test("a letter that waits is noted for each of its mailboxes until it is stored or given up", async () => {
  const arriving = new Arriving(db, log, 0);
  const [one, two] = [arriving.begin([1n, 2n]), arriving.begin([2n])];
  await expect.poll(noted).toEqual([1n, 2n, 2n]);
  one();
  await arriving.drain();
  expect(await noted()).toEqual([2n]);
  await db`insert into letter_arriving (letter, mailbox_id, until) values (gen_random_uuid(), 3, now())`;
  two();
  await arriving.drain();
  expect(await noted()).toEqual([]);
  expect(faults).toEqual([]);
});
