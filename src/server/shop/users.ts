import { type Command, Option } from "commander";
import { books, roles, setShare } from "../../contract/office/acts.ts";
import * as investors from "../investors/investors.ts";
import { resolveSecret } from "../platform/config/config.ts";
import { showUsd, type Usd } from "../platform/money.ts";
import { createSeal } from "../platform/seal.ts";
import { anotherKey, isOwnKey } from "../platform/secret-key.ts";
import * as ledger from "../ledger/ledger.ts";
import * as users from "../users/users.ts";
import { type Act, list, operator, refused, ok, showTime, withUser } from "./answer.ts";
import type { Nouns } from "./nouns.ts";
import { oneOf, readAmount } from "./read.ts";

const ppmOfPercent = 10_000;

export function addUserCommands({ noun, verb }: Nouns): void {
  const people = noun("users", "accounts");
  const credits: Command = verb(
    people,
    "credit <email> <usd>",
    "changes a balance or earnings, up or (with a minus sign) down",
    (email: string, amount: string, options: Credit) => {
      const change = readAmount(amount);
      if (change === 0n) credits.error("error: an amount of 0 changes nothing");
      return credit(email, change, options);
    },
  )
    .requiredOption("--reason <text>", "why; it is kept for good, and the owner reads it in the statement")
    .option("--key <text>", "a name for this change: repeated under the same name it is done once");
  credits.addOption(
    new Option("--book <name>", "what is changed: the balance, or earnings that are not paid out")
      .choices(books)
      .default("balance"),
  );
  const grants = (words: string, about: string, granted: boolean) => {
    const command = verb(people, words, about, (email: string, role: users.Role) =>
      grant(email, role, granted),
    );
    oneOf(command, 1, roles, "role; the roles");
  };
  grants("grant <email> <role>", "makes an administrator or an investor", true);
  grants("revoke <email> <role>", "takes the role of an administrator or an investor away", false);
  const shares: Command = verb(
    people,
    "share <email> <percent>",
    "sets an investor's share of each price, for later batches (30)",
    (email: string, percent: string) => {
      if (!setShare.ask.percent.schema.safeParse(percent).success)
        shares.error("error: a share is a number from 0 to 90 with at most 4 decimals");
      return share(email, Number(percent));
    },
  );
  verb(people, "block <email>", "blocks an account: its token stops working", (email: string) =>
    setBlocked(email, true),
  );
  verb(people, "unblock <email>", "unblocks an account", (email: string) => setBlocked(email, false));
  verb(people, "show <email>", "shows an account", (email: string) => show(email));
}

interface Credit {
  readonly reason: string;
  readonly key?: string;
  readonly book: ledger.Book;
}

const whereOf: Record<ledger.Book, string> = {
  balance: "",
  referrals: " due by referrals",
  soft: " due by software",
  investor: " due as an investor",
};

function credit(email: string, amount: Usd, { reason, key, book }: Credit): Act {
  return withUser(email, async ({ id, email: name }, { db }) => {
    const done = await users.adjust(db, { userId: id, book, amount, reason, key }, operator);
    if (done === "key used") return refused(`Another change was made under the key ${key}.`);
    if (typeof done === "string")
      return refused(
        `${name} has only ${showUsd(await ledger.balance(db, id, book))} dollars${whereOf[book]}.`,
      );
    const { repeated } = done;
    const [before, balance] = [showUsd(done.before), showUsd(done.balance)];
    const undo = `\nTo undo it: users credit ${name} ${showUsd(-amount as Usd)} --book ${book} --reason "a mistake"`;
    const text = repeated
      ? `This was done before under the key ${key}: ${name} has ${balance} dollars${whereOf[book]}.`
      : `${name} had ${before} and has ${balance} dollars${whereOf[book]}.${book === "balance" ? "" : undo}`;
    return ok({ id, email: name, book, balance, repeated }, text);
  });
}

function grant(email: string, role: users.Role, granted: boolean): Act {
  return withUser(email, async ({ id, email: name }, { db, config }) => {
    // The mail to the owner is sealed.
    const seal = createSeal(resolveSecret(config));
    if ((await isOwnKey(db, seal)) === false) return refused(anotherKey);
    const done = await users.setGrant(db, { userId: id, role, granted }, operator, seal);
    if (done === "last administrator")
      return refused(`${name} is the only administrator: make another account one first.`);
    if (typeof done === "string")
      return refused(`${name} has not activated the account yet: it needs the code of the mail.`);
    const text = `${name} is ${granted ? "" : "no "}${role} ${granted ? "from now on" : "any more"}.`;
    return ok({ id, email: name, role, granted }, text);
  });
}

function share(email: string, percent: number): Act {
  return withUser(email, async ({ id, email: name }, { db }) => {
    const before = await investors.setShare(db, id, Math.round(percent * ppmOfPercent), operator);
    const text = `${name} gets ${percent} % of the price of each order on later batches; until now ${before / ppmOfPercent} %.`;
    return ok({ id, email: name, percent }, text);
  });
}

function setBlocked(email: string, blocked: boolean): Act {
  return withUser(email, async ({ id, email: name }, { db }) => {
    await users.setBlock(db, { userId: id, blocked }, operator);
    const text = `${name} is ${blocked ? "blocked: the token does not work" : "not blocked"}.`;
    return ok({ id, email: name, blocked }, text);
  });
}

function show(email: string): Act {
  return withUser(email, async (user, { db }) => {
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
    return ok(json, text);
  });
}
