// The investor of a demonstration's life: files of mailboxes, decisions about them and about held shares.
import type { Catalog } from "./catalog/catalog.ts";
import { type batches, type Chance, localNames, named } from "./life.cast.ts";
import type { Timeline } from "./life.clock.ts";
import { sites } from "./life.letters.ts";
import { approve, type Investors, refuseBatch } from "./investors/investors.ts";
import type { Letters } from "./letters/letters.ts";
import { decideShares, type Orders, settleShares } from "./orders/orders.ts";
import type { Partners } from "./partners/partners.ts";
import type { Payments } from "./payments/payments.ts";
import { secondsAfter } from "./platform/clock.ts";
import type { Db } from "./platform/db/db.ts";
import type { Seal } from "./platform/seal.ts";

/** What a life is lived with. */
export interface Stage {
  /** Lives by the clock of the timeline. */
  readonly db: Db;
  /** The present, at which the life ends. */
  readonly at: Date;
  readonly ttlSeconds: number;
  readonly seal: Seal;
  readonly chance: Chance;
  readonly timeline: Timeline;
  readonly catalog: Catalog;
  readonly orders: Orders;
  readonly letters: Letters;
  readonly investors: Investors;
  readonly payments: Payments;
  readonly partners: Partners;
  /** By email address. */
  readonly people: Map<string, { readonly userId: bigint; readonly since: Date }>;
}

export const by = "operator";
const day = 24 * 3600;
/** How many days ago the operator looks at held shares. */
const looks = [25, 20, 15, 10, 5];

export function personOf({ people }: Stage, role: (typeof named)[number]["role"]): bigint {
  const person = people.get(named.find((each) => each.role === role)?.email ?? "");
  if (!person) throw new Error(`there is no ${role}`);
  return person.userId;
}

/** An answer that is a word is a refusal, which a life does not have. */
export function granted<Answer>(answer: Answer | string, what: string): Answer {
  if (typeof answer === "string") throw new Error(`${what}: ${answer}`);
  return answer;
}

export function addStock(stage: Stage, files: typeof batches): void {
  const { db, at, timeline, investors, chance } = stage;
  const userId = personOf(stage, "investor");
  const onSale: number[] = [];
  for (const { domain, daysAgo, count, end, reason, sites: shut = [] } of files) {
    const lines = localNames(chance, count).map((name) => `${name}@${domain}:${chance.word(12)}`);
    const brought = secondsAfter(at, -daysAgo * day);
    timeline.add(brought, async () => {
      const answer = await investors.upload({
        userId,
        sites: shut,
        file: fileOf(lines.join("\n")),
        key: undefined,
        at: brought,
        isValid: () => Promise.resolve(true),
      });
      const batch = granted(answer, "a file of mailboxes");
      if ("refused" in batch) throw new Error(`a file of mailboxes: ${batch.refused}`);
      await investors.check(new AbortController().signal);
      if (end === "review") return;
      const decided = secondsAfter(brought, 1800);
      timeline.add(decided, async () => {
        if (end === "refuse") {
          granted(await refuseBatch(db, batch.batchId, { by, reason, at: decided }), "a batch");
          return;
        }
        const state = await approve(db, batch.batchId, { by, reason, at: decided });
        if (state !== "active") throw new Error(`a batch: ${state}`);
        onSale.push(batch.batchId);
      });
    });
  }
  for (const ago of looks) {
    const looked = secondsAfter(at, -ago * day);
    timeline.add(looked, async () => {
      await settleShares(db, looked);
      for (const batchId of onSale)
        for (const { name: site } of sites)
          await decideShares(db, { batchId, site, state: "released", by, at: looked });
    });
  }
}

async function* fileOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
