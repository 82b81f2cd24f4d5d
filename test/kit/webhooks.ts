import { randomBytes } from "node:crypto";
import { afterEach, beforeAll, beforeEach, expect } from "vitest";
import type { ShopEvent } from "../../src/contract/events.ts";
import type { EventRow } from "../../src/server/events/events.ts";
import { now, secondsAfter } from "../../src/server/platform/clock.ts";
import type { Db } from "../../src/server/platform/db/db.ts";
import { createLog } from "../../src/server/platform/log.ts";
import { createSeal } from "../../src/server/platform/seal.ts";
import {
  type Delivery,
  openWebhooks,
  type Webhook,
  type Webhooks,
} from "../../src/server/webhooks/webhooks.ts";
import { createDatabase } from "./database.ts";
import { openReceiver, type Receiver } from "./receiver.ts";

export const code = "493817";

/** A shop's webhooks on this file's database, and a receiver. */
export interface WebhookStage {
  readonly db: Db;
  readonly program: Receiver;
  readonly webhooks: Webhooks;
  readonly logged: () => string;
  another(): Webhooks;
  user(): Promise<bigint>;
  webhook(more?: { userId?: bigint; url?: string; events?: Kind[] }): Promise<{
    userId: bigint;
    id: bigint;
    secret: string;
  }>;
  happen(userId: bigint, kind?: Kind, times?: number): Promise<void>;
  deliver(at?: Date): Promise<void>;
  log(userId: bigint, id: bigint): Promise<Delivery[]>;
  only(userId: bigint, id: bigint): Promise<Delivery>;
  ask(userId: bigint, id: bigint): Promise<Webhook | undefined>;
  dueNow(): Promise<unknown>;
  rested(): Promise<unknown>;
  watchedUntil(userId: bigint): Promise<string | undefined>;
}

type Kind = "letter" | "balance" | "payment";

type Writable = { -readonly [Key in keyof WebhookStage]: WebhookStage[Key] };

const seal = createSeal(Buffer.alloc(32, 4));

export function webhookStage(): WebhookStage {
  const opened: Webhooks[] = [];
  const lines: string[] = [];
  const log = createLog("trace", { write: (line) => void lines.push(line) });
  const stage = {} as Writable;
  stage.logged = () => lines.join("");
  stage.another = () => {
    const webhooks = openWebhooks({
      db: stage.db,
      seal,
      log,
      describe,
      publicUrl: "https://shop.test",
      allowed: {
        beside: ["127.0.0.1", "127.0.0.3", "127.0.0.4", "127.0.0.5", "localhost"],
        ports: [[1, 65_535]],
      },
    });
    opened.push(webhooks);
    return webhooks;
  };
  stage.user = async () => {
    const [row] = await stage.db<{ id: bigint }[]>`
      insert into users (email, name, password_hash, token_hash, token_sealed, activated_at)
      values (${`${randomBytes(6).toString("hex")}@example.com`}, 'somebody', '', ${randomBytes(32)}, '', now())
      returning id`;
    return row!.id;
  };
  stage.webhook = async ({ userId, url = stage.program.url, events } = {}) => {
    const owner = userId ?? (await stage.user());
    const made = await stage.webhooks.add(owner, { url, events: events ?? ["letter", "balance"] });
    if (typeof made === "string") throw new Error(made);
    return { userId: owner, id: made.webhook.id, secret: made.secret };
  };
  stage.happen = async (userId, kind = "balance", times = 1) => {
    await stage.db.begin(async (tx) => {
      await tx`select from account where user_id = ${userId} and book = 'balance' for update`;
      await tx`select log_events(${kind}::event_kind, array_agg(${userId}::bigint), p_balance => array_agg(n))
               from generate_series(1, ${times}::bigint) n`;
      await tx`select notify_changes(array[${userId}::bigint])`;
    });
  };
  looks(stage);
  beforeAll(async () => {
    stage.db = (await createDatabase({ max: 20 })).db;
  });
  beforeEach(async () => {
    lines.length = 0;
    stage.program = await openReceiver();
    stage.webhooks = stage.another();
  });
  afterEach(async () => {
    for (const webhooks of opened.splice(0)) await webhooks.close();
    await stage.program.close();
    await stage.db`delete from webhook`;
  });
  return stage;
}

function looks(stage: Writable): void {
  stage.deliver = async (at) => {
    const dispatcher = stage.webhooks.openDispatcher();
    await dispatcher.fanOut();
    await dispatcher.sendDue(at);
  };
  stage.log = async (userId, id) => {
    const found = await stage.webhooks.deliveries(userId, id, { skip: 0, size: 1_000 });
    if (typeof found === "string") throw new Error(found);
    return found;
  };
  stage.only = async (userId, id) => {
    const found = await stage.log(userId, id);
    expect(found).toHaveLength(1);
    return found[0]!;
  };
  stage.ask = async (userId, id) => (await stage.webhooks.list(userId)).find((webhook) => webhook.id === id);
  stage.dueNow = () =>
    stage.db`update webhook_delivery set due_at = ${secondsAfter(now(), -0.001)} where due_at is not null`;
  stage.rested = () => stage.db`update webhook set rests_until = null`;
  stage.watchedUntil = async (userId) => {
    const [row] = await stage.db<{ until: string }[]>`
      select watched_until::text as until from buyer where user_id = ${userId}`;
    return row?.until;
  };
}

async function describe(rows: readonly EventRow[]): Promise<Map<bigint, ShopEvent>> {
  return new Map(
    rows.map(({ id, name, balance }) => [id, name === "letter" ? letter(id) : balanceOf(balance ?? 0n)]),
  );
}

const balanceOf = (balance: bigint): ShopEvent => ({ name: "balance", data: { balance: `${balance}.0` } });

function letter(id: bigint): ShopEvent {
  const from = { activation_id: "1", letter_id: String(id), from: "instagram.com", email: "a@letters.test" };
  const data = { ...from, sender: "a@b.test", subject: "Welcome", received_at: 1, code };
  return { name: "letter", data };
}
