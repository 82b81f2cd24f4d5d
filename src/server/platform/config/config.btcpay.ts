import { type CurrencyId, currencies, currencyIds } from "../../../contract/currencies.ts";
import { ConfigError, list, shaped, url, type Environment } from "./config.read.ts";

/** A BTCPay Server that makes and watches the addresses of some currencies. */
export interface Btcpay {
  readonly url: string;
  readonly apiKey: string;
  readonly storeId: string;
  /** Undefined: no webhook; the server is polled. */
  readonly webhookSecret: string | undefined;
  readonly methods: Readonly<Partial<Record<CurrencyId, string>>>;
}

const required = ["BTCPAY_URL", "BTCPAY_API_KEY", "BTCPAY_STORE_ID", "BTCPAY_CURRENCIES"] as const;

/** The BTCPAY_ settings. Throws ConfigError when only some of them are set. */
export function readBtcpay(env: Environment): Btcpay | undefined {
  const address = url(env, "BTCPAY_URL", ["https", "http"]);
  const word = /^[\w-]+$/;
  const apiKey = shaped(env, "BTCPAY_API_KEY", word, "an API key as BTCPay Server shows it");
  const storeId = shaped(env, "BTCPAY_STORE_ID", word, "the id of a store");
  const webhookSecret = shaped(
    env,
    "BTCPAY_WEBHOOK_SECRET",
    /^\S{8,}$/,
    "at least 8 characters without spaces",
  );
  const methods = readMethods(env);
  const given = [address, apiKey, storeId, methods];
  const isGiven = (index: number) => given[index] !== undefined;
  if (!required.some((_, index) => isGiven(index))) {
    if (webhookSecret !== undefined)
      throw new ConfigError("BTCPAY_URL is required with BTCPAY_WEBHOOK_SECRET.");
    return undefined;
  }
  const [missing] = required.filter((_, index) => !isGiven(index));
  if (!address || apiKey === undefined || storeId === undefined || !methods)
    throw new ConfigError(
      `${missing} is required with ${required.filter((_, index) => isGiven(index)).join(", ")}.`,
    );
  if (address.username !== "" || address.password !== "" || address.search !== "" || address.hash !== "")
    throw new ConfigError(
      "BTCPAY_URL must be only where the server is, for example https://btcpay.shop.example.",
    );
  return Object.freeze({ url: address.href.replace(/\/$/, ""), apiKey, storeId, webhookSecret, methods });
}

/** The BTCPAY_CURRENCIES setting: ltc=LTC-CHAIN. */
function readMethods(env: Environment): Btcpay["methods"] | undefined {
  const pairs = list(env, "BTCPAY_CURRENCIES").map((item) => {
    const [id = "", method = ""] = item.split("=");
    const currency = currencies.find((one) => one.id === id);
    if (!currency)
      throw new ConfigError(
        `BTCPAY_CURRENCIES names ${id}, but the currencies are ${currencyIds.join(", ")}.`,
      );
    if (!/^\w+-\w+$/.test(method))
      throw new ConfigError(
        `BTCPAY_CURRENCIES gives ${id} "${method}" but must give a payment method of the store, for example LTC-CHAIN.`,
      );
    // A Lightning invoice has no address to show for an hour.
    if (/-LN/i.test(method))
      throw new ConfigError(
        `BTCPAY_CURRENCIES gives ${id} ${method}, but payments over Lightning are not taken.`,
      );
    return [currency.id, method] as const;
  });
  if (pairs.length === 0) return undefined;
  for (const side of [0, 1] as const) {
    const seen = pairs.map((pair) => pair[side]);
    const twice = seen.find((one, index) => seen.indexOf(one) !== index);
    if (twice !== undefined) throw new ConfigError(`BTCPAY_CURRENCIES names ${twice} twice.`);
  }
  return Object.freeze(Object.fromEntries(pairs));
}
