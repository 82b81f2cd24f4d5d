import { randomUUID } from "node:crypto";
import type { Command } from "commander";
import * as investors from "../investors/investors.ts";
import * as journal from "../journal/journal.ts";
import { attempt, type Db, type Tx } from "../kit/db.ts";
import { showUsd, type Usd } from "../kit/money.ts";
import * as ledger from "../ledger/ledger.ts";
import * as users from "../users/users.ts";
import { type Act, list, operator, refused, said, showTime } from "./answer.ts";
import type { Nouns } from "./program.ts";
import { readAmount } from "./read.ts";

const roles = ["admin", "investor"] as const;
type Role = (typeof roles)[number];

/** Adds the commands for accounts. */
export function addUserCommands({ noun, verb }: Nouns): void {
  const people = noun("users", "accounts");
  const credits: Command = verb(
    people,
    "credit <email> <usd>",
    "changes a balance, up or (with a minus sign) down",
    (email: string, amount: string, options: { reason: string; key?: string }) => {
      const change = readAmount(amount);
      if (change === 0n) credits.error("error: an amount of 0 changes nothing");
      return credit(email, change, options);
    },
  )
    .requiredOption("--reason <text>", "why; it is kept for good, and the owner reads it in the statement")
    .option("--key <text>", "a name for this change: repeated under the same name it is done once");
  const grants: Command = verb(
    people,
    "grant <email> <role>",
    "makes an administrator or an investor",
    (email: string, role: string) => {
      const known = roles.find((one) => one === role);
      if (!known) grants.error(`error: "${role}" is no role; the roles are ${roles.join(", ")}`);
      return grant(email, known ?? "investor");
    },
  );
  const shares: Command = verb(
    people,
    "share <email> <percent>",
    "sets an investor's part of each price for batches that he brings from now on (30)",
    (email: string, percent: string) => {
      if (!/^[0-9]{1,2}(\.[0-9]{1,4})?$/.test(percent) || Number(percent) > 90)
        shares.error("error: a share is a number from 0 to 90 with at most 4 decimals");
      return share(email, Math.round(Number(percent) * 10_000));
    },
  );
  verb(people, "block <email>", "closes an account: its token opens nothing", (email: string) =>
    setBlocked(email, true),
  );
  verb(people, "unblock <email>", "opens a blocked account again", (email: string) =>
    setBlocked(email, false),
  );
  verb(people, "show <email>", "shows an account", (email: string) => show(email));
}

function credit(email: string, amount: Usd, { reason, key }: { reason: string; key?: string }): Act {
  return change(email, async (tx, user) => {
    const before = await ledger.balance(tx, user.id);
    const idempotencyKey = `operator:${key ?? randomUUID()}`;
    const moved = await ledger.adjust(tx, { userId: user.id, amount, reason, idempotencyKey });
    if (moved === "no balance") return `${user.email} has only ${showUsd(before)} dollars.`;
    const balance = await ledger.balance(tx, user.id);
    const json = { id: user.id, email: user.email, balance: showUsd(balance), repeated: moved === "repeat" };
    if (moved === "repeat")
      return {
        json,
        text: `This was done before under the key ${key}: ${user.email} has ${showUsd(balance)} dollars.`,
      };
    await journal.note(tx, {
      by: operator,
      did: "users credit",
      about: `user ${user.id}`,
      before: { balance: showUsd(before) },
      after: { balance: showUsd(balance) },
      reason,
    });
    return { json, text: `${user.email} had ${showUsd(before)} and has ${showUsd(balance)} dollars.` };
  });
}

function grant(email: string, role: Role): Act {
  return change(email, async (tx, user) => {
    await users.grant(tx, user.id, role);
    await journal.note(tx, {
      by: operator,
      did: "users grant",
      about: `user ${user.id}`,
      before: { admin: user.isAdmin, investor: user.isInvestor },
      after: { admin: user.isAdmin || role === "admin", investor: user.isInvestor || role === "investor" },
    });
    return { json: { id: user.id, email: user.email, role }, text: `${user.email} is ${role} from now on.` };
  });
}

function share(email: string, sharePpm: number): Act {
  return async ({ db }) => {
    const user = await users.find(db, email);
    if (!user) return refused(noUser(email));
    const before = await investors.setShare(db, user.id, sharePpm, operator);
    const percent = sharePpm / 10_000;
    const text = `${user.email} gets ${percent} % of what his next batches are sold for; until now ${before / 10_000} %.`;
    return said({ id: user.id, email: user.email, percent }, text);
  };
}

function setBlocked(email: string, blocked: boolean): Act {
  return change(email, async (tx, user) => {
    await users.block(tx, user.id, blocked);
    await journal.note(tx, {
      by: operator,
      did: blocked ? "users block" : "users unblock",
      about: `user ${user.id}`,
      before: { blocked: user.blockedAt !== null },
      after: { blocked },
    });
    const text = `${user.email} is ${blocked ? "blocked: the token opens nothing" : "not blocked"}.`;
    return { json: { id: user.id, email: user.email, blocked }, text };
  });
}

function show(email: string): Act {
  return async ({ db }) => {
    const user = await users.find(db, email);
    if (!user) return refused(noUser(email));
    const books = ["balance", "referrals", "soft", "investor"] as const;
    const money = await Promise.all(books.map((book) => ledger.balance(db, user.id, book)));
    const [balance = "", referrals = "", soft = "", investor = ""] = money.map(showUsd);
    const json = {
      id: user.id,
      email: user.email,
      name: user.name,
      active: user.activatedAt !== null,
      admin: user.isAdmin,
      investor: user.isInvestor,
      blocked: user.blockedAt !== null,
      balance,
      earned: { referrals, soft, investor },
      createdAt: user.createdAt,
    };
    const flags = (["active", "admin", "investor", "blocked"] as const).filter((flag) => json[flag]);
    const text = list({
      user: String(user.id),
      email: user.email,
      name: user.name,
      is: flags.join(", ") || "not activated",
      since: showTime(user.createdAt),
      balance,
      "earned by referrals": referrals,
      "earned by programs": soft,
      "earned as investor": investor,
    });
    return said(json, text);
  };
}

type User = NonNullable<Awaited<ReturnType<typeof users.find>>>;

/** Finds the account and changes it in one transaction, together with what the journal says of it. */
function change(
  email: string,
  work: (tx: Tx, user: User) => Promise<{ json: unknown; text: string } | string>,
): Act {
  return async ({ db }: { db: Db }) => {
    const done = await attempt(db, async (tx) => {
      const user = await users.find(tx, email);
      return user ? work(tx, user) : noUser(email);
    });
    return typeof done === "string" ? refused(done) : said(done.json, done.text);
  };
}

const noUser = (email: string) => `There is no account with the e-mail address ${email}.`;
