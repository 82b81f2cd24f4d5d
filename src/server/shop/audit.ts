import * as journal from "../journal/journal.ts";
import { auditShop, brokenIn, reopenBooks } from "../office/office.ts";
import { type Act, asJson, ok, showTime, table } from "./answer.ts";
import { paymentsOf } from "../payments/payments.ts";
import type { Nouns } from "./nouns.ts";
import { readCount } from "./read.ts";

export function addAuditCommands({ program, noun, verb }: Nouns): void {
  verb(
    program,
    "audit",
    "checks every invariant of ledger, orders, stock and payments",
    (options: { open?: true; reopen?: true }) => check(options),
  )
    .option("--open", "only what is new since the last nightly close, as that does")
    .option("--reopen", "have the next nightly close sum up everything anew");
  const acts = noun("journal", "changes of money, users and stock");
  verb(acts, "list", "shows changes, the newest first", (options: { about?: string; size: number }) =>
    listActs(options),
  )
    .option("--about <thing>", 'only what was done to it: "letters.test", "user 17"')
    .option("--size <count>", "how many at most", readCount(10_000), 50);
}

const check =
  ({ open, reopen }: { open?: true; reopen?: true }): Act =>
  async (context) => {
    const scope = open ? "open" : "all";
    const invariants = await auditShop({ db: context.db, payments: paymentsOf(context) }, { scope });
    if (reopen) await reopenBooks(context.db, "operator");
    const broken = brokenIn(invariants);
    const json = {
      holds: broken.length === 0,
      invariants: invariants.map(({ name, says, bad }) => ({ name, says, holds: bad.length === 0, bad })),
    };
    const text = table(
      invariants,
      [
        { title: "holds", of: ({ bad }) => (bad.length === 0 ? "yes" : "NO") },
        { title: "invariant", of: ({ name }) => name },
        { title: "says", of: ({ says }) => says },
        { title: "broken by", of: ({ bad }) => bad.join(" ") },
      ],
      "There is nothing to check.",
    );
    const answer = ok(json, text);
    if (broken.length === 0) return answer;
    const which = broken.map(({ name, bad }) => `${name} (${bad.join(", ")})`).join("; ");
    return {
      ...answer,
      refused: `${broken.length} of ${invariants.length} invariants do not hold: ${which}.`,
    };
  };

function listActs({ about, size }: { about?: string; size: number }): Act {
  return async ({ db }) => {
    const acts = await journal.list(db, { about, size });
    const text = table(
      acts,
      [
        { title: "when", of: ({ at }) => showTime(at) },
        { title: "by", of: ({ by }) => by },
        { title: "did", of: ({ did }) => did },
        { title: "to", of: (act) => act.about },
        { title: "before", of: ({ before }) => (before === null ? "" : asJson(before)) },
        { title: "after", of: ({ after }) => (after === null ? "" : asJson(after)) },
        { title: "reason", of: ({ reason }) => reason ?? "" },
      ],
      "There are no changes yet.",
    );
    return ok(acts, text);
  };
}
