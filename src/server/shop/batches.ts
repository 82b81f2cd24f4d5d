import * as limits from "../../contract/limits.ts";
import * as investors from "../investors/investors.ts";
import { now } from "../platform/clock.ts";
import { showUsd, type Usd } from "../platform/money.ts";
import { type Act, list, operator, refused, ok, showCount, showTime, table, withUser } from "./answer.ts";
import type { Nouns } from "./nouns.ts";
import { readCount, type Reasoned, reasonOption } from "./read.ts";

type State = investors.Batch["state"];
const open: readonly State[] = ["stored", "sampling", "review"];
const all: readonly State[] = [...open, "active", "withdrawn", "refused", "freed"];

export function addBatchCommands({ noun, verb, choice }: Nouns): void {
  const batches = noun("batches", "mailboxes that investors uploaded");
  verb(
    batches,
    "list",
    "shows the batches that wait for a decision",
    ({ state, address }: { state?: State; address?: string }) =>
      listBatches(address === undefined ? (state === undefined ? open : [state]) : { address }),
  )
    .addOption(choice("--state <state>", "those in one state", all))
    .option("--address <email>", "the batch that has this mailbox, on sale or not");
  verb(batches, "show <id>", "shows a batch and the result of its check", (id: string) =>
    show(readBatch(id)),
  );
  verb(
    batches,
    "same [id]",
    "shows mailboxes that open the box of another one: of a batch, or the newest of all",
    (id?: string) => listSame(id === undefined ? undefined : readBatch(id)),
  );
  const decides = (words: string, about: string, act: (id: number, reason?: string) => Act) =>
    verb(batches, words, about, (id: string, { reason }: Reasoned) => act(readBatch(id), reason)).option(
      ...reasonOption,
    );
  decides("approve <id>", "puts a batch under review on sale, or checks it again", approve);
  decides("refuse <id>", "refuses a batch that was never on sale; its passwords are wiped", refuse);
  decides("withdraw <id>", "takes a batch off sale; open orders still get their letters", withdraw);
  decides("restore <id>", "puts a batch back on sale", restore);
  decides(
    "free <id>",
    "lets the addresses of a refused batch be uploaded once more, if no mailbox of it opened",
    free,
  );
  verb(
    batches,
    "seen <email>",
    "lets an investor upload again after a batch was refused",
    (email: string, { reason }: Reasoned) => seen(email, reason),
  ).option(...reasonOption);
}

const readBatch = readCount(limits.batchIdMax);
const amountOf = (batch: investors.Batch) => showUsd(batch.amount as Usd);
const heldOf = (batch: investors.Batch) => showUsd(batch.held as Usd);
const shareOf = ({ sharePpm }: investors.Batch) => `${sharePpm / 10_000} %`;

function wire(batch: investors.Batch) {
  return {
    ...batch,
    amount: amountOf(batch),
    held: heldOf(batch),
    alive: Number(batch.alive),
    share: batch.sharePpm / 1_000_000,
  };
}

function listBatches(which: readonly State[] | { address: string }): Act {
  return async ({ db }) => {
    const found =
      "address" in which
        ? [await investors.batchOf(db, which.address)].filter((batch) => batch !== undefined)
        : await investors.listBatches(db, which);
    const text = table(
      found,
      [
        { title: "batch", of: ({ batchId }) => String(batchId), right: true },
        { title: "investor", of: ({ email }) => email },
        { title: "brought", of: ({ createdAt }) => showTime(createdAt) },
        { title: "state", of: ({ state, reason }) => (reason === null ? state : `${state} (${reason})`) },
        { title: "mailboxes", of: ({ taken }) => showCount(taken), right: true },
        { title: "living", of: ({ alive }) => showCount(alive), right: true },
        { title: "earned", of: amountOf, right: true },
        { title: "held", of: heldOf, right: true },
        { title: "share", of: shareOf, right: true },
      ],
      "There is no such batch.",
    );
    return ok({ batches: found.map(wire) }, text);
  };
}

const noBatch = (id: number) => `There is no batch ${id} of an investor.`;

function show(id: number): Act {
  return async ({ db }) => {
    const batch = await investors.showBatch(db, id);
    if (!batch) return refused(noBatch(id));
    const text = list({
      batch: String(batch.batchId),
      investor: `${batch.email}${batch.flagged ? " (a batch was refused: uploads are closed until it is reviewed)" : ""}`,
      brought: showTime(batch.createdAt),
      state: batch.reason === null ? batch.state : `${batch.state} (${batch.reason})`,
      tried: batch.tried === null ? "unknown" : `${batch.tried}, of these opened ${batch.opened}`,
      "the server said": batch.said ?? "",
      "asks it again": batch.secondLookAt === null ? "" : showTime(batch.secondLookAt),
      domains: batch.domains.join(" "),
      "must not serve": batch.restricted.join(" "),
      taken: showCount(batch.taken),
      living: showCount(batch.alive),
      malformed: showCount(batch.malformed),
      "of unknown domains": showCount(batch.unknownDomain),
      "twice in the file": showCount(batch.duplicateInFile),
      "here before": showCount(batch.duplicate),
      "open another's box": showCount(batch.same),
      earned: amountOf(batch),
      held: heldOf(batch),
      share: shareOf(batch),
    });
    return ok({ ...wire(batch), flagged: batch.flagged }, text);
  };
}

function listSame(id: number | undefined): Act {
  return async ({ db }) => {
    const found = await investors.listSame(db, id);
    const text = table(
      found,
      [
        { title: "mailbox", of: ({ address }) => address },
        { title: "batch", of: ({ batchId }) => String(batchId), right: true },
        { title: "opens the box of", of: ({ first }) => first },
        { title: "batch", of: ({ firstBatchId }) => String(firstBatchId), right: true },
        { title: "found", of: ({ foundAt }) => showTime(foundAt) },
      ],
      "No mailbox is known to open the box of another one.",
    );
    return ok({ mailboxes: found }, text);
  };
}

function approve(id: number, reason?: string): Act {
  return async ({ db }) => {
    const done = await investors.approve(db, id, { by: operator, reason, at: now() });
    if (done === "no batch") return refused(noBatch(id));
    if (done === "not under review") return refused(`Batch ${id} is not under review.`);
    const text = done === "active" ? `Batch ${id} is on sale.` : `Batch ${id} is checked again.`;
    return ok({ batch: id, state: done }, text);
  };
}

function refuse(id: number, reason?: string): Act {
  return async ({ db }) => {
    const done = await investors.refuseBatch(db, id, { by: operator, reason, at: now() });
    if (done === "no batch") return refused(noBatch(id));
    if (done === "batch decided")
      return refused(`Batch ${id} was put on sale or refused before; "batches withdraw" takes it off sale.`);
    return ok({ batch: id, state: done.state }, `Batch ${id} is refused, and its passwords are wiped.`);
  };
}

function withdraw(id: number, reason?: string): Act {
  return async ({ db }) => {
    const done = await investors.withdraw(db, id, { by: operator, reason, at: now() });
    if (done === "no batch") return refused(noBatch(id));
    if (done === "not on sale") return refused(`Batch ${id} was never put on sale.`);
    const text = `Batch ${id} is off sale. Open orders still get their letters, and what they earn is held.\nTo undo it: batches restore ${id}`;
    return ok({ batch: id, state: done.state }, text);
  };
}

function restore(id: number, reason?: string): Act {
  return async ({ db }) => {
    const done = await investors.restoreBatch(db, id, { by: operator, reason, at: now() });
    if (done === "no batch") return refused(noBatch(id));
    if (done === "not off sale") return refused(`Batch ${id} was not taken off sale.`);
    if (done === "owner may not sell")
      return refused(
        `The owner of batch ${id} is blocked or no investor: unblock the account or grant the role.`,
      );
    return ok({ batch: id, state: done.state }, `Batch ${id} is on sale again.`);
  };
}

function free(id: number, reason?: string): Act {
  return async ({ db }) => {
    const done = await investors.free(db, id, { by: operator, reason, at: now() });
    if (done === "no batch") return refused(noBatch(id));
    if (done === "not refused") return refused(`Batch ${id} is not refused.`);
    if (done === "mailboxes opened")
      return refused(`Mailboxes of batch ${id} opened, or it is not known: its addresses stay taken.`);
    if ("restsUntil" in done)
      return refused(
        `Addresses of batch ${id} were freed before and refused again: they rest until ${showTime(done.restsUntil)}.`,
      );
    const text = `${showCount(done.freed)} addresses of batch ${id} are free: each can be uploaded once more.`;
    return ok({ batch: id, state: done.state, freed: done.freed }, text);
  };
}

function seen(email: string, reason?: string): Act {
  return withUser(email, async (user, { db }) => {
    const count = await investors.clearFlags(db, user.id, { by: operator, reason, at: now() });
    if (count === 0) return refused(`No refused batch of ${user.email} waits for a review.`);
    return ok(
      { id: user.id, email: user.email, batches: count },
      `${user.email} may upload mailboxes again.`,
    );
  });
}
