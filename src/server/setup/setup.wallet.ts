// Checks a public key before it becomes a setting. Does not keep it or repeat it in messages.
import {
  ConfigError,
  PrivateKeyError,
  readWallets,
  settingsOfWallet,
  type WalletName,
} from "../platform/config/config.ts";
import { checkWallet } from "../payments/payments.ts";

export interface Looked {
  readonly addresses: readonly { index: number; address: string; path: string }[];
  /** Undefined without a first address. */
  readonly matches: boolean | undefined;
  readonly published: boolean;
  /** Lines for the environment; empty before a right first address. */
  readonly lines: readonly string[];
}

export interface NotLooked {
  readonly refused: "public key" | "private key" | "first address";
  readonly reason: string | undefined;
}

const count = 3;

// Valid addresses that differ from any key's, to show the key's own without one to compare. Litecoin's also selects the main network.
const nobodys = {
  evm: `0x${"0".repeat(40)}`,
  tron: `T${"1".repeat(33)}`,
  ltc: "ltc1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqp9ysmq",
  ton: undefined,
};

/** The first addresses of a key, and whether `first` is the first of them. */
export function lookAtKey(
  wallet: WalletName,
  { key, first }: { key: string; first: string | undefined },
): Looked | NotLooked {
  const settings = settingsOfWallet(wallet);
  const compared = first ?? nobodys[wallet];
  if (compared === undefined) return { refused: "first address", reason: undefined };
  const no = refusedBySettings({ [settings.key]: key, [settings.first]: compared });
  if (no) return no;
  const check = (shown: string) => checkWallet(wallet, { key, first: shown }, { demo: false, count });
  const { wrong, isPrivate, addresses } = check(compared);
  const [own] = addresses;
  if (!own) {
    if (isPrivate) return { refused: "private key", reason: wrong };
    return { refused: wrong?.startsWith(settings.first) ? "first address" : "public key", reason: wrong };
  }
  const matches = first === undefined ? undefined : isTheFirst(check, own.address, first);
  // Compared with its own first address, only being published can be wrong.
  const published = check(own.address).wrong !== undefined;
  return {
    addresses: addresses.map(({ index, address, path }) => ({ index: Number(index), address, path })),
    matches,
    published,
    lines: matches && !published ? [`${settings.key}=${key}`, `${settings.first}=${own.address}`] : [],
  };
}

/** A published wallet is wrong also when it matches. */
function isTheFirst(
  check: (first: string) => { wrong: string | undefined },
  own: string,
  shown: string,
): boolean {
  return check(shown).wrong === check(own).wrong;
}

function refusedBySettings(env: Record<string, string>): NotLooked | undefined {
  try {
    readWallets(env);
    return undefined;
  } catch (fault) {
    if (!(fault instanceof ConfigError)) throw fault;
    if (fault instanceof PrivateKeyError) return { refused: "private key", reason: fault.message };
    const isOfFirst = /^WALLET_[A-Z]+_FIRST /.test(fault.message);
    return { refused: isOfFirst ? "first address" : "public key", reason: fault.message };
  }
}
