import { walletFamilies } from "../../../contract/currencies.ts";
import * as clocks from "../../platform/clock.ts";
import {
  type ChainName,
  chainNames,
  type Config,
  ConfigError,
  settingOf,
  settingsOfWallet,
  type WalletName,
} from "../../platform/config/config.ts";
import type { Db } from "../../platform/db/db.ts";
import type { Log } from "../../platform/log.ts";
import { terms } from "../payments.terms.ts";
import { openWallet, type Wallet } from "../wallets/wallets.ts";
import { openBtcpay } from "./btcpay/btcpay.ts";
import { openEvm } from "./evm/evm.ts";
import { openLitecoin } from "./litecoin/litecoin.ts";
import type { ChainParts, Network } from "./network.ts";
import { openSandbox } from "./sandbox.ts";
import { openTon } from "./ton/ton.ts";
import { openTron } from "./tron/tron.ts";

export const walletOf: Readonly<Record<ChainName, WalletName>> = {
  eth: "evm",
  bsc: "evm",
  tron: "tron",
  ton: "ton",
  ltc: "ltc",
};

const openers: Readonly<Partial<Record<ChainName, (parts: ChainParts & { db: Db }) => Network>>> = {
  eth: (parts) => openEvm(parts, "ethereum"),
  bsc: (parts) => openEvm(parts, "bsc"),
  tron: openTron,
  ton: openTon,
  ltc: openLitecoin,
};

export type ChainSettings = Pick<Config, "btcpay" | "chains" | "demo" | "wallets">;

/** The chains with a wallet and a node, and BTCPay's; else a demo's sandbox. Throws ConfigError on a wrong wallet. */
export function openNetworks(given: {
  readonly db: Db;
  readonly config: ChainSettings;
  readonly log: Log;
  readonly clock?: () => Date;
}): Network[] {
  const { db, config, log, clock = clocks.now } = given;
  const wallets = new Map<WalletName, Wallet>();
  for (const name of walletFamilies) {
    const settings = config.wallets[name];
    if (settings) wallets.set(name, openWallet(name, settings, config));
  }
  if (wallets.size === 0 && !config.btcpay) return config.demo ? [openSandbox(db, clock)] : [];
  const ours = chainNames.flatMap((chain) => {
    const [wallet, settings, open] = [wallets.get(walletOf[chain]), config.chains[chain], openers[chain]];
    return wallet && open && settings.urls.length > 0
      ? [open({ config: settings, wallet, log, clock, db })]
      : [];
  });
  if (!config.btcpay) return ours;
  const btcpay = openBtcpay({ config: config.btcpay, clock });
  const twice = btcpay.currencies.find((id) => ours.some(({ currencies }) => currencies.includes(id)));
  if (twice !== undefined)
    throw new ConfigError(
      `BTCPAY_CURRENCIES names ${twice}, which a wallet of the shop serves already: take it out there, or take the nodes of its chain out of CHAIN_${settingOf[terms[twice].chain].toUpperCase()}_URLS.`,
    );
  return [...ours, btcpay];
}

export function missingFor(config: ChainSettings): { chain: ChainName; missing: string[] }[] {
  return chainNames.map((chain) => {
    const wallet = walletOf[chain];
    const { key, first } = settingsOfWallet(wallet);
    return {
      chain,
      missing: [
        ...(config.wallets[wallet] ? [] : [key, first]),
        ...(config.chains[chain].urls.length > 0 ? [] : [`CHAIN_${chain.toUpperCase()}_URLS`]),
      ],
    };
  });
}
