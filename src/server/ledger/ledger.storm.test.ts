// @module-tag slow
// @module-tag full
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, onTestFinished, test } from "vitest";
import { fillAccount, openBooks } from "../../../test/kit/books.ts";
import { createDatabase } from "../../../test/kit/database.ts";
import { buyer } from "../../../test/kit/shelf.ts";
import { usd, usdFromUnits } from "../platform/money.ts";
import { balance } from "./ledger.ts";

const { db } = await createDatabase();

test("two hundred thousand lines stream through flat memory and add up to the balance", async () => {
  const userId = await buyer(db);
  await fillAccount(db, userId, 200_000);
  const books = await openBooks(db);
  onTestFinished(books.close);
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const live = () => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  const before = live();
  const grown: number[] = [];
  let [sum, lines, rest] = [0n, 0, ""];
  for await (const piece of (
    await fetch(`${books.url}/user/statement.csv?token=${userId}`)
  ).body!.pipeThrough(new TextDecoderStream())) {
    const rows = (rest + piece).split("\r\n");
    rest = rows.pop() ?? "";
    for (const row of rows) if (!row.startsWith("id,")) sum += usd(row.split(",")[3] ?? "");
    lines += rows.length;
    if (lines > (grown.length + 1) * 20_000) grown.push(live() - before);
  }
  expect(lines).toBe(200_001);
  expect(usdFromUnits(sum)).toBe(await balance(db, userId));
  expect(grown).toHaveLength(10);
  expect(Math.max(...grown)).toBeLessThan(16 * 1024 * 1024);
});
