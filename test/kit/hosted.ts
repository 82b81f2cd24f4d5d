import { randomBytes } from "node:crypto";
import { vi } from "vitest";
import { type Imap, openImap, setHost, type Times } from "../../src/server/imap/imap.ts";
import * as inventory from "../../src/server/inventory/inventory.ts";
import type { Db } from "../../src/server/platform/db/db.ts";
import { createLog, type Log } from "../../src/server/platform/log.ts";
import { createSeal, type Seal } from "../../src/server/platform/seal.ts";
import { type Letters, openLetters } from "../../src/server/letters/letters.ts";
import { deliver, openOrders, type Orders, type Placed, waiting } from "../../src/server/orders/orders.ts";
import type { Dovecot } from "./dovecot.ts";
import { buyer, mailboxOf, shelf } from "./shelf.ts";

export const secretKey = "ef494d78e3f38f737d28cc5f0ffe2a4af3044c29f3a096309e48b2dcdbe23602";

export interface HostedOrder {
  readonly orderId: bigint;
  readonly mailboxId: bigint;
  readonly login: string;
}

export interface HouseOptions {
  readonly mailboxes?: number;
  readonly tls?: "implicit" | "starttls" | "none";
  readonly isTrusted?: boolean;
  readonly connections?: number;
  readonly loginsPerMinute?: number;
  readonly password?: string;
  readonly ttlSeconds?: number;
}

export type MailServer = Pick<Dovecot, "host" | "port" | "password" | "addUsers"> &
  Partial<Pick<Dovecot, "tlsPort" | "certificate">>;

/** A hosted mail domain, a buyer with money, and a site. */
export interface House {
  readonly site: string;
  readonly domain: string;
  readonly orders: Orders;
  order(site?: { id: number }): Promise<HostedOrder>;
  again(order: HostedOrder): Promise<HostedOrder>;
  cancel(order: HostedOrder): Promise<void>;
  codes(orderId: bigint): Promise<string[]>;
  expectCodes(orderId: bigint, codes: string[], timeout?: number): Promise<void>;
  fetch(times?: Partial<Times>, log?: Log): Promise<Fetching>;
  close(): Promise<void>;
}

export interface Fetching {
  readonly imap: Imap;
  readonly letters: Letters;
  stop(): Promise<void>;
}

const log = createLog("silent");
const soon: Partial<Times> = {
  pollMs: 100,
  junkMs: 300,
  againMs: 500,
  lookMs: 200,
  checkAgainMs: 50,
  staySeconds: 0,
};

export function sealOfTests(): Seal {
  return createSeal(Buffer.alloc(32, 7));
}

export const houses: House[] = [];

export async function closeHouses(): Promise<void> {
  for (const house of houses.splice(0)) await house.close();
}

export async function openHouse(
  db: Db,
  server: MailServer,
  options: HouseOptions = {},
  seal = sealOfTests(),
): Promise<House> {
  const {
    mailboxes = 1,
    tls = "implicit",
    isTrusted = true,
    connections,
    loginsPerMinute = 100_000,
  } = options;
  const { domainId, domain } = await shelf(db, 0);
  const port = (tls === "implicit" ? server.tlsPort : undefined) ?? server.port;
  await db`update mail_domain set kind = 'hosted', imap_host = ${server.host}, imap_port = ${port}, imap_tls = ${tls}
           where id = ${domainId}`;
  const ca = (isTrusted ? server.certificate?.cert : undefined) ?? null;
  await setHost(db, server.host, port, { connections, loginsPerMinute, ca });
  const parts = Array.from({ length: mailboxes }, (_, place) => `box${place}`);
  await server.addUsers(parts.map((part) => `${part}@${domain}`));
  const batchId = await inventory.addBatch(db, { title: "hosted" });
  const secrets = parts.map(() => seal.seal(options.password ?? server.password));
  await inventory.addMailboxes(db, batchId, domainId, parts, secrets);
  const orders = openOrders(db, { ttlSeconds: options.ttlSeconds ?? 1200 });
  const userId = await buyer(db, { balance: "100" });
  const site = `${randomBytes(5).toString("hex")}.example`;
  const [row] = await db<{ id: number }[]>`insert into site (name) values (${site}) returning id`;
  const siteId = row?.id ?? 0;
  const running: Fetching[] = [];
  const made = async (placed: unknown): Promise<HostedOrder> => {
    const { orderId, email } = placed as Placed;
    if (orderId === undefined) throw new Error(`no order: ${JSON.stringify(placed)}`);
    return { orderId, mailboxId: await mailboxOf(db, orderId), login: email };
  };
  const codes = async (orderId: bigint) => {
    const rows = await db<{ subject: string }[]>`
      select l.subject from delivery join letter l on l.id = delivery.letter_id
      where delivery.order_id = ${orderId} order by l.id`;
    return rows.map(({ subject }) => subject.replaceAll(/\D/g, ""));
  };
  const house: House = {
    site,
    domain,
    orders,
    codes,
    order: async (other) =>
      made(await orders.place({ userId, siteId: other?.id ?? siteId, domainIds: [domainId] })),
    again: async ({ orderId }) => made(await orders.reorder({ userId, orderId })),
    cancel: async ({ orderId }) => void (await orders.cancel({ userId, orderId })),
    expectCodes: (orderId, wanted, timeout = 15_000) =>
      vi.waitFor(
        async () => {
          const got = (await codes(orderId)).toSorted();
          if (JSON.stringify(got) !== JSON.stringify(wanted.toSorted()))
            throw new Error(`order ${orderId} has ${got.join(", ") || "nothing"}, not ${wanted.join(", ")}`);
        },
        { timeout, interval: 20 },
      ),
    fetch: async (times = {}, to = log) => {
      const fetching = await startFetching(db, seal, { ...soon, ...times }, to);
      running.push(fetching);
      return fetching;
    },
    close: async () => {
      for (const fetching of running) await fetching.stop();
      // The next fetch must see only its own orders.
      await db`delete from hosted_order where mailbox_id in (select id from mailbox where domain_id = ${domainId})`;
      await orders.drain();
    },
  };
  houses.push(house);
  return house;
}

/** The services of the role jobs for fetching. */
async function startFetching(db: Db, seal: Seal, times: Partial<Times>, to: Log): Promise<Fetching> {
  const letters = openLetters(db, {
    waiting,
    deliver,
    sendersOf: async (_siteId, site) => new Set([site]),
    log: to,
  });
  const imap = openImap({ db, seal, log: to, keepWith: letters.keepWith, times });
  await imap.start();
  let stopping: Promise<void> | undefined;
  const stop = async () => {
    await imap.stop();
    await letters.close();
  };
  return { imap, letters, stop: () => (stopping ??= stop()) };
}

let sent = 0;

/** A unique letter of a site with a code in the subject. */
export function codeLetter(site: string, code: string): string {
  return [
    `Return-Path: <bounce@${site}>`,
    `From: ${site} <no-reply@${site}>`,
    `Message-ID: <${++sent}.${randomBytes(6).toString("hex")}@${site}>`,
    `Subject: Your code is ${code}`,
    "Content-Type: text/plain; charset=utf-8",
    "",
    `Your code is ${code}.`,
    "",
  ].join("\r\n");
}
