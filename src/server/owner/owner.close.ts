// The owner closes the account: what tells of the person goes, and what the books need stays without the name (docs/decisions/104).
import type { OpenThing } from "../../contract/account/owner.ts";
import { books } from "../../contract/fields.ts";
import { attempt, type Db, type Sql, type Tx } from "../platform/db/db.ts";
import { forgetTasks } from "../platform/jobs/tasks.ts";
import { showUsd, type Usd } from "../platform/money.ts";
import type { Seal } from "../platform/seal.ts";
import * as journal from "../journal/journal.ts";
import * as ledger from "../ledger/ledger.ts";
import { queue } from "../mailer/mailer.ts";
import * as orders from "../orders/orders.ts";
import * as partners from "../partners/partners.ts";
import * as questions from "../questions/questions.ts";
import * as security from "../security/security.ts";
import * as stories from "../stories/stories.ts";
import type { Users } from "../users/users.ts";
import * as webhooks from "../webhooks/webhooks.ts";
import { deleteLow } from "./owner.low.sql.ts";
import * as rows from "./owner.sql.ts";

/** What closing means for an account: what must end first, and the money that its owner gives up. */
export interface Standing {
  readonly open: Partial<Record<OpenThing, number>>;
  readonly left: Readonly<Record<(typeof books)[number], Usd>>;
  readonly total: Usd;
}

export async function standingOf(sql: Sql, userId: bigint): Promise<Standing> {
  const open = await rows.selectOpen(sql, userId);
  const left = { balance: 0n, referrals: 0n, soft: 0n, investor: 0n } as Record<(typeof books)[number], Usd>;
  for (const book of books) left[book] = await ledger.balance(sql, userId, book);
  const total = books.reduce((sum, book) => sum + left[book], 0n) as Usd;
  return { open: Object.fromEntries(open.map(({ what, count }) => [what, count])), left, total };
}

interface Parts {
  readonly db: Db;
  readonly seal: Seal;
  readonly users: Pick<Users, "closeAccess" | "forget">;
}

/** `email`: typed by the person. `giveUp`: what the person agrees to lose. */
export interface Closing {
  readonly userId: bigint;
  readonly email: string;
  readonly giveUp: Usd;
}

export type NotClosed = { refusal: "invalid email" | "account in use" | "give_up"; standing?: Standing };

/** Undefined: closed. */
export async function close(parts: Parts, asked: Closing, at: Date): Promise<NotClosed | undefined> {
  const { db, users } = parts;
  const { userId } = asked;
  // Cheaper to find out before anything is locked.
  const before = refusalOf(await standingOf(db, userId), asked);
  if (before) return before;
  let refused: NotClosed | undefined;
  const done = await attempt(db, async (tx) => {
    refused = await closeIn(tx, parts, asked, at);
    return refused ? "refused" : undefined;
  });
  users.forget(userId);
  return done === undefined ? undefined : refused;
}

function refusalOf(standing: Standing, { giveUp }: Closing): NotClosed | undefined {
  if (Object.keys(standing.open).length > 0) return { refusal: "account in use", standing };
  return giveUp === standing.total ? undefined : { refusal: "give_up", standing };
}

/** Locks in the order of db/functions/README.md; a refusal undoes all. */
async function closeIn(
  tx: Tx,
  { seal, users }: Parts,
  asked: Closing,
  at: Date,
): Promise<NotClosed | undefined> {
  const { userId, email } = asked;
  const owner = await rows.lockOwner(tx, userId);
  if (owner?.email !== email) return { refusal: "invalid email" };
  await orders.forgetLetters(tx, userId);
  await webhooks.forgetUser(tx, userId, at);
  await orders.backorders.forgetUser(tx, userId);
  await rows.lockMoney(tx, userId);
  const standing = await standingOf(tx, userId);
  const refused = refusalOf(standing, asked);
  if (refused) return refused;
  for (const book of books) await ledger.giveUp(tx, userId, book);
  await deleteLow(tx, userId);
  await users.closeAccess(tx, userId, at);
  await partners.forgetUser(tx, userId);
  await stories.forgetUser(tx, userId);
  await questions.forgetUser(tx, userId);
  await security.forgetUser(tx, userId);
  await forgetTasks(tx, userId);
  const { left, total } = standing;
  const givenUp = Object.fromEntries(books.map((book) => [book, showUsd(left[book])]));
  await journal.note(tx, {
    by: `user ${userId}`,
    did: "users close",
    about: `user ${userId}`,
    after: { closed: true, ...(total > 0n && { givenUp }) },
  });
  // An address that nobody confirmed may be another person's.
  if (!owner.isActive) return undefined;
  const values = { amount: showUsd(total) };
  await queue(tx, seal, { to: email, kind: "account-closed", language: owner.language, values }, { userId });
  return undefined;
}
