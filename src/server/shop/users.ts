import type { Command } from "commander";
import * as investors from "../investors/investors.ts";
import type { Db } from "../platform/db/db.ts";
import { showUsd, type Usd } from "../platform/money.ts";
import * as ledger from "../ledger/ledger.ts";
import * as users from "../users/users.ts";
import { type Act, list, operator, refused, said, showTime } from "./answer.ts";
import type { Nouns } from "./nouns.ts";
import { readAmount } from "./read.ts";

const roles: readonly users.Role[] = ["admin", "investor"];

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
  const grants = (words: string, about: string, granted: boolean) => {
    const command: Command = verb(people, words, about, (email: string, role: string) => {
      const known = roles.find((one) => one === role);
      if (!known) command.error(`error: "${role}" is no role; the roles are ${roles.join(", ")}`);
      return grant(email, known ?? "investor", granted);
    });
  };
  grants("grant <email> <role>", "makes an administrator or an investor", true);
  grants("revoke <email> <role>", "takes the role of an administrator or an investor away", false);
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
  return change(email, async (db, user) => {
    const done = await users.adjust(db, { userId: user.id, amount, reason, key }, operator);
    if (done === "no balance")
      return `${user.email} has only ${showUsd(await ledger.balance(db, user.id))} dollars.`;
    if (done === "key used") return `Another change was made under the key ${key}.`;
    if (typeof done === "string") return noUser(email);
    const [before, balance] = [showUsd(done.before), showUsd(done.balance)];
    const text = done.repeated
      ? `This was done before under the key ${key}: ${user.email} has ${balance} dollars.`
      : `${user.email} had ${before} and has ${balance} dollars.`;
    return { json: { id: user.id, email: user.email, balance, repeated: done.repeated }, text };
  });
}

function grant(email: string, role: users.Role, granted: boolean): Act {
  return change(email, async (db, user) => {
    const done = await users.setGrant(db, { userId: user.id, role, granted }, operator);
    if (done === "last administrator")
      return `${user.email} is the only administrator: make somebody else one first.`;
    if (done === "account not activated")
      return `${user.email} has not confirmed the address: the code of the mail is entered first.`;
    if (typeof done === "string") return noUser(email);
    return {
      json: { id: user.id, email: user.email, role, granted },
      text: `${user.email} is ${granted ? "" : "no "}${role} ${granted ? "from now on" : "any more"}.`,
    };
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
  return change(email, async (db, user) => {
    const done = await users.setBlock(db, { userId: user.id, blocked }, operator);
    if (typeof done === "string") return noUser(email);
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

/** Finds the account and does something to it. */
function change(
  email: string,
  work: (db: Db, user: users.User) => Promise<{ json: unknown; text: string } | string>,
): Act {
  return async ({ db }) => {
    const user = await users.find(db, email);
    const done = user ? await work(db, user) : noUser(email);
    return typeof done === "string" ? refused(done) : said(done.json, done.text);
  };
}

const noUser = (email: string) => `There is no account with the e-mail address ${email}.`;
