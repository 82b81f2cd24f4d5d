import { lowBalance, setLowBalance } from "../../contract/account/low-balance.ts";
import { closeAccount, closing, ownData } from "../../contract/account/owner.ts";
import { books } from "../../contract/fields.ts";
import { now } from "../platform/clock.ts";
import type { Db } from "../platform/db/db.ts";
import { answer, type Route } from "../platform/http/answer.ts";
import type { Ask } from "../platform/http/ask.ts";
import { download } from "../platform/http/download.ts";
import { showUsd, usd } from "../platform/money.ts";
import type { Seal } from "../platform/seal.ts";
import type { Users } from "../users/users.ts";
import { close, type Standing, standingOf } from "./owner.close.ts";
import { jsonOf } from "./owner.export.ts";
import * as low from "./owner.low.ts";

interface Parts {
  readonly db: Db;
  readonly seal: Seal;
  readonly users: Users;
  /** The calls whose answers are the data; their rate is not limited. */
  readonly ask: Ask;
}

export function ownerRoutes(parts: Parts): Route[] {
  const { db, ask } = parts;
  return [
    answer(ownData, ({ caller, request }) => {
      const at = now();
      const headers = {
        "content-type": "application/json; charset=utf-8",
        "content-disposition": `attachment; filename="postern-data-${at.toISOString().slice(0, 10)}.json"`,
      };
      return download(headers, jsonOf({ db, ask, caller }, at), request);
    }),

    answer(closing, async ({ caller }) => {
      const standing = await standingOf(db, caller.userId);
      return { data: { open: standing.open, ...standingReply(standing) } };
    }),

    answer(closeAccount, async ({ asked, caller, refuse }) => {
      const giveUp = usd(asked.give_up ?? "0");
      const no = await close(parts, { userId: caller.userId, email: asked.email, giveUp }, now());
      if (!no) return { message: "account closed" };
      const { refusal, standing } = no;
      if (refusal === "account in use") return refuse(refusal, { open: standing?.open });
      if (refusal === "give_up") return refuse(refusal, standing && standingReply(standing));
      return refuse(refusal, { parameter: "email" });
    }),

    answer(lowBalance, async ({ caller: { userId } }) => ({
      data: warningReply(await low.lowBalanceOf(db, userId)),
    })),

    answer(setLowBalance, async ({ asked, caller: { userId } }) => {
      const threshold = asked.threshold === undefined ? undefined : usd(asked.threshold);
      return { data: warningReply(await low.setLowBalance(db, { userId, threshold })) };
    }),
  ];
}

const warningReply = ({ threshold, balance }: low.Warning) => ({
  ...(threshold !== undefined && { threshold: showUsd(threshold) }),
  balance: showUsd(balance),
  low: threshold !== undefined && balance < threshold,
});

function standingReply({ left, total }: Standing) {
  const { balance, referrals, soft, investor } = Object.fromEntries(
    books.map((book) => [book, showUsd(left[book])]),
  ) as Record<(typeof books)[number], string>;
  return { left: { balance, referrals, soft, investor }, give_up: showUsd(total) };
}
