// @module-tag slow
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { createDatabase } from "../../../test/kit/database.ts";
import { audit } from "./orders.audit.ts";
import { act, fill, perform } from "../../../test/model/acts.ts";
import { compare, openWorld } from "../../../test/model/world.ts";

const { db, drop } = await createDatabase({ max: 6 });
afterAll(drop);

// For changes of the code under test: MODEL_RUNS=2000 vitest run <this file>.
const manyRuns = Number(process.env["MODEL_RUNS"] ?? 8);

test(
  "whatever happens in whatever order, every answer, balance, list and stock is what a small model says, after each act",
  { timeout: 600_000 },
  () => hold(1),
);
test(
  "many histories are what the model says, and one that is not is made smaller",
  { tags: ["full"], timeout: 7_200_000 },
  () => hold(manyRuns),
);

async function hold(runs: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 80, maxLength: 80, size: "max" }), async (acts) => {
      const world = await openWorld(db);
      await fill(world);
      await compare(world);
      for (const each of acts) {
        await perform(world, each);
        await compare(world);
      }
      expect((await audit(db)).filter(({ bad }) => bad.length > 0)).toEqual([]);
    }),
    // A failure is shrunk for a minute.
    { numRuns: runs, interruptAfterTimeLimit: 60_000 + runs * 20_000 },
  );
}
