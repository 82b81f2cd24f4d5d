// A public key is looked at before it becomes a setting. It is not kept, and no sentence repeats it.
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
  /** Undefined: no first address was told. */
  readonly matches: boolean | undefined;
  readonly published: boolean;
  /** What to write into the environment; nothing before the first address was told and is right. */
  readonly lines: readonly string[];
}

export interface NotLooked {
  readonly refused: "public key" | "private key" | "first address";
  /** A sentence for the operator that names the setting. */
  readonly reason: string | undefined;
}

const count = 3;

// Addresses of the right form, only to be another than the key's: what the key has is shown without one to compare with.
// That of Litecoin says too that the main network is meant.
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
  // Compared with its own first address, nothing else can be wrong with it.
  const published = check(own.address).wrong !== undefined;
  return {
    addresses: addresses.map(({ index, address, path }) => ({ index: Number(index), address, path })),
    matches,
    published,
    lines: matches && !published ? [`${settings.key}=${key}`, `${settings.first}=${own.address}`] : [],
  };
}

/** Told the same way for the one and the other; a wallet that everybody knows is wrong also when it matches. */
function isTheFirst(
  check: (first: string) => { wrong: string | undefined },
  own: string,
  told: string,
): boolean {
  return check(told).wrong === check(own).wrong;
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
