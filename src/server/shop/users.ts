import { showUsd } from "../platform/money.ts";
import * as ledger from "../ledger/ledger.ts";
import { type Act, list, ok, showTime, withUser } from "./answer.ts";
import type { Nouns } from "./nouns.ts";
import { books } from "../../contract/fields.ts";

export function addUserCommands({ noun, verb }: Nouns): void {
  const people = noun("users", "accounts");
  verb(people, "show <email>", "shows an account", (email: string) => show(email));
}

function show(email: string): Act {
  return withUser(email, async (user, { db }) => {
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
