import { type CurrencyId, currencies, currencyIds } from "../../../contract/currencies.ts";
import {
  address,
  ConfigError,
  http,
  list,
  made,
  parsed,
  read,
  setting,
  shaped,
  Wrong,
  type Environment,
  type Field,
} from "./config.fields.ts";

/** A BTCPay Server that makes and watches the addresses of some currencies. */
export interface Btcpay {
  readonly url: string;
  readonly apiKey: string;
  readonly storeId: string;
  /** Undefined: no webhook; the server is polled. */
  readonly webhookSecret: string | undefined;
  readonly methods: Readonly<Partial<Record<CurrencyId, string>>>;
}

const serverUrl = made((given) => {
  const { username, password, search, hash } = parsed(http, given);
  if (username !== "" || password !== "" || search !== "" || hash !== "")
    throw new Wrong("must be only where the server is, for example https://btcpay.shop.example");
  return parsed(address, given);
});

/** ltc=LTC-CHAIN */
const method: Field<readonly [CurrencyId, string]> = made((given) => {
  const [id = "", name = ""] = given.split("=");
  const currency = currencies.find((one) => one.id === id);
  if (!currency) throw new Wrong(`names ${id}, but the currencies are ${currencyIds.join(", ")}`);
  if (!/^\w+-\w+$/.test(name))
    throw new Wrong(
      `gives ${id} "${name}" but must give a payment method of the store, for example LTC-CHAIN`,
    );
  // A Lightning invoice has no address to show for an hour.
  if (/-LN/i.test(name)) throw new Wrong(`gives ${id} ${name}, but payments over Lightning are not taken`);
  return [currency.id, name];
});

const methods = made((given): Btcpay["methods"] => {
  const pairs = parsed(list(method), given);
  if (pairs.length === 0) throw new Wrong("names no currency");
  for (const side of [0, 1] as const) {
    const seen = pairs.map((pair) => pair[side]);
    const twice = seen.find((one, index) => seen.indexOf(one) !== index);
    if (twice !== undefined) throw new Wrong(`names ${twice} twice`);
  }
  return Object.freeze(Object.fromEntries(pairs));
});

const word = /^[\w-]+$/;
const says =
  "A BTCPay Server (2.0 or newer) that serves some currencies instead of a wallet: where it is, a key for its API, the store, and the store's payment method for each currency (ltc=LTC-CHAIN).";
export const btcpay = {
  url: setting("BTCPAY_URL", serverUrl, undefined, { says }),
  apiKey: setting("BTCPAY_API_KEY", shaped(word, "an API key as BTCPay Server shows it"), undefined, {
    secret: true,
    says,
  }),
  storeId: setting("BTCPAY_STORE_ID", shaped(word, "the id of a store"), undefined, { says }),
  methods: setting("BTCPAY_CURRENCIES", methods, undefined, { says }),
  webhookSecret: setting(
    "BTCPAY_WEBHOOK_SECRET",
    shaped(/^\S{8,}$/, "at least 8 characters without spaces"),
    undefined,
    {
      secret: true,
      says: "The secret of that server's webhook to PUBLIC_URL/api/btcpay/webhook, by which a payment shows at once; without it, within 15 seconds.",
    },
  ),
};

/** The BTCPAY_ settings. Throws ConfigError when only some of them are set. */
export function readBtcpay(env: Environment): Btcpay | undefined {
  const { url, apiKey, storeId, methods: given, webhookSecret } = read(env, btcpay);
  if (url !== undefined && apiKey !== undefined && storeId !== undefined && given !== undefined)
    return Object.freeze({ url, apiKey, storeId, webhookSecret, methods: given });
  const needed = { url, apiKey, storeId, methods: given };
  const names = Object.entries(needed).map(([key, value]) => ({
    name: btcpay[key as keyof typeof needed].name,
    value,
  }));
  const there = names.filter(({ value }) => value !== undefined).map(({ name }) => name);
  if (webhookSecret !== undefined) there.push(btcpay.webhookSecret.name);
  if (there.length === 0) return undefined;
  throw new ConfigError(
    `${names.find(({ value }) => value === undefined)?.name} is required with ${there.join(", ")}.`,
  );
}
