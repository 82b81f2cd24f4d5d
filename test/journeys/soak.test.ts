// @module-tag full
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { kinds, soak } from "../kit/soak.ts";

test("under everything at once, web processes killed, nothing that was acknowledged is lost, and every letter is heard of", async () => {
  const folder = await mkdtemp(join(tmpdir(), "postern-soak-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const pace = { orders: 10, polls: 15, signIns: 1, payments: 0.5, streams: 100, lines: 10_000 };
  const { samples, done, kills, lost } = await soak(folder, { ...pace, seconds: 100, killSeconds: 25 });
  expect(lost).toEqual([]);
  expect(kills).toBeGreaterThan(1);
  expect(done.refused).toEqual([]);
  expect(new Set(samples.map(([kind]) => kind))).toEqual(new Set(kinds));
}, 300_000);
