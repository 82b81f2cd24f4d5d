import { checkDns, checkWalletKey, sendTestLetter, setup as setupCall } from "../../contract/office/setup.ts";
import type { Bot } from "../bot/bot.ts";
import { answer, type Route } from "../platform/http/answer.ts";
import { lookAtKey, type Setup } from "./setup.ts";

interface Services {
  readonly setup: Setup;
  /** Undefined: this shop has no bot. */
  readonly bot: Pick<Bot, "name"> | undefined;
}

const botMilliseconds = 3_000;

export function setupRoutes({ setup, bot }: Services): Route[] {
  return [
    answer(setupCall, async ({ request: { isByUntrustedProxy } }) =>
      setup.standing({ botName: await bot?.name(AbortSignal.timeout(botMilliseconds)), isByUntrustedProxy }),
    ),

    answer(checkDns, async ({ asked, refuse }) => (await setup.dns(asked.domain)) ?? refuse("domain name")),

    answer(checkWalletKey, ({ asked: { wallet, key, first }, refuse }) => {
      const looked = lookAtKey(wallet, { key, first });
      if ("refused" in looked)
        return refuse(looked.refused, looked.reason === undefined ? {} : { reason: looked.reason });
      const { addresses, matches, published, lines } = looked;
      return {
        addresses: [...addresses],
        published,
        lines: [...lines],
        ...(matches !== undefined && { matches }),
      };
    }),

    answer(sendTestLetter, async ({ asked, caller, refuse }) => {
      const tried = await setup.letter(asked.domain, `user ${caller.userId}`);
      return typeof tried === "string" ? refuse(tried) : tried;
    }),
  ];
}
