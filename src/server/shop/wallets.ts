import { walletFamilies } from "../../contract/currencies.ts";
import { settingsOfWallet, type Config, type WalletName } from "../platform/config/config.ts";
import { checkWallet, missingFor, skipIndexes } from "../payments/payments.ts";
import { type Act, type Answer, operator, refused, ok, showCount, table } from "./answer.ts";
import type { Nouns } from "./nouns.ts";
import { readCount } from "./read.ts";

const countDefault = 5;
const countMax = 10_000;
const skipMax = 1_000_000;

export function addWalletCommands({ noun, verb }: Nouns): void {
  const wallets = noun("wallets", "the public keys of payment addresses");
  const about = "shows the first addresses of each wallet, to compare with your own, and missing settings";
  verb(wallets, "check", about, ({ count }: { count: number }) => check(count)).option(
    "--count <count>",
    "how many of each",
    readCount(countMax),
    countDefault,
  );
  verb(
    wallets,
    "skip <count>",
    "skips this many address indexes, after a database was restored",
    (count: string) => skip(readCount(skipMax)(count)),
  );
}

/** Skips indexes that may have been issued since the backup. */
function skip(count: number): Act {
  return async ({ db, config }) => {
    const families = walletFamilies.filter((name) => config.wallets[name]);
    if (families.length === 0) return refused("No wallet is set: there are no indexes to skip.");
    const skipped = await skipIndexes(db, families, BigInt(count), operator);
    const text = table(
      skipped,
      [
        { title: "wallet", of: ({ family }) => family },
        { title: "next index", of: ({ next }) => showCount(next), right: true },
      ],
      "",
    );
    return ok(skipped, text);
  };
}

function check(count: number): Act {
  return ({ config }): Promise<Answer> => {
    const wallets = walletFamilies.map((name) => checked(name, config, count));
    const chains = missingFor(config);
    const wrong = wallets.flatMap((wallet) => wallet.wrong ?? []);
    const lines = [
      ...wallets.map(show),
      table(
        chains,
        [
          { title: "chain", of: ({ chain }) => chain },
          { title: "missing", of: ({ missing }) => (missing.length === 0 ? "nothing" : missing.join(", ")) },
        ],
        "",
      ),
    ];
    const answer = ok({ wallets, chains }, lines.join("\n\n"));
    return Promise.resolve(wrong.length === 0 ? answer : { ...answer, refused: wrong.join("\n") });
  };
}

function checked(name: WalletName, config: Config, count: number) {
  const { key } = settingsOfWallet(name);
  const settings = config.wallets[name];
  if (!settings) return { wallet: name, key, state: "not set" as const, addresses: [] };
  const { wrong, addresses } = checkWallet(name, settings, { demo: config.demo, count });
  if (wrong === undefined) return { wallet: name, key, state: "right" as const, addresses };
  return { wallet: name, key, state: "wrong" as const, wrong, addresses };
}

function show({ key, state, addresses }: ReturnType<typeof checked>): string {
  const heading = `${key}: ${state}`;
  if (addresses.length === 0) return heading;
  const rows = table(
    addresses,
    [
      { title: "index", of: ({ index }) => String(index), right: true },
      { title: "address", of: ({ address }) => address },
      { title: "in your wallet", of: ({ path }) => path },
    ],
    "",
  );
  return `${heading}\n${rows}`;
}
