import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";

import { sweep } from "../../scripts/temporary.mjs";
import { stockDemo } from "../../src/server/demo.ts";
import { connect, type Db } from "../../src/server/platform/db/db.ts";
import { startEmbedded } from "../../src/server/platform/db/embedded.ts";
import { migrate } from "../../src/server/platform/db/migrate.ts";
import { noteRefusals } from "./refusals.ts";

declare module "vitest" {
  interface ProvidedContext {
    databaseServer: {
      url: string;
      template: string;
      stocked: string;
      failure: string | undefined;
    };
  }
}

const template = "shop_template";
const stocked = "shop_stocked";
const prefix = "postern-test-";

/** One PostgreSQL for the run, with templates that test files copy. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  // A killed run leaves its folder; its server ends once that is gone.
  sweep(tmpdir(), prefix);
  const dataDir = await mkdtemp(join(tmpdir(), `${prefix}${process.pid}-`));
  const expectNoneRefused = await noteRefusals();
  const log = { info: () => {}, warn: (text: string) => console.error(text) };
  const server = await startEmbedded({ dataDir, log, throwaway: true });
  const failure = await makeTemplates(server.adminUrl);
  project.provide("databaseServer", { url: server.adminUrl, template, stocked, failure });
  return async () => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
    await expectNoneRefused();
  };
}

/** Answers the fault, so that tests without a database still run. */
async function makeTemplates(url: string): Promise<string | undefined> {
  const admin = connect(url, { max: 1 });
  const at = async (name: string, work: (db: Db) => Promise<unknown>) => {
    const address = new URL(url);
    address.pathname = `/${name}`;
    const db = connect(address.href, { max: 2 });
    try {
      await work(db);
    } finally {
      await db.end();
    }
  };
  try {
    await admin.unsafe(`create database ${template}`);
    await at(template, migrate);
    await admin.unsafe(`create database ${stocked} template ${template}`);
    await at(stocked, (db) => stockDemo({ db, log: { info: () => {} } }));
    return undefined;
  } catch (error) {
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  } finally {
    await admin.end();
  }
}
