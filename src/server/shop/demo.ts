import { live, named } from "../life.ts";
import { now } from "../platform/clock.ts";
import { type Act, ok, refused, table } from "./answer.ts";
import type { Nouns } from "./nouns.ts";

export function addDemoCommands({ noun, verb }: Nouns): void {
  const demo = noun("demo", "the demonstration");
  verb(
    demo,
    "life",
    "fills an empty demonstration with 30 days of orders, letters, payments and earnings",
    fill,
  );
}

function fill(): Act {
  return async (context) => {
    const { config } = context;
    if (!config.demo) return refused("This shop is no demonstration (DEMO): it gets no invented life.");
    if (Object.values(config.wallets).some(Boolean) || config.btcpay)
      return refused("This demonstration takes real payments: it gets no invented life.");
    const lived = await live(context, now());
    if (lived === "orders")
      return refused("There are orders already: only an empty demonstration gets a life.");
    const { password, ...counts } = lived;
    const accounts = named.map(({ role, email, see }) => ({ role, email, password, see }));
    const text = table(
      accounts,
      [
        { title: "account", of: ({ email }) => email },
        { title: "is", of: ({ role }) => role },
        { title: "to look at", of: ({ see }) => see },
      ],
      "",
    );
    const { orders, letters, payments } = counts;
    return ok(
      { ...counts, accounts },
      `${orders} orders, ${letters} letters and ${payments} payments of 30 days were made.\n\n${text}\n\nThe password of each: ${password}`,
    );
  };
}
