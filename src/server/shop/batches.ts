import * as limits from "../../contract/limits.ts";
import * as investors from "../investors/investors.ts";
import { showUsd, type Usd } from "../platform/money.ts";
import { type Act, list, refused, ok, showCount, showTime, table } from "./answer.ts";
import type { Nouns } from "./nouns.ts";
import { readCount } from "./read.ts";

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
