// The Greenfield API of a BTCPay Server (swagger of 2.x), as far as the shop uses it.
import { text as textIn } from "node:stream/consumers";
import { createHmac } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

interface ToldPayment {
  readonly id: string;
  readonly receivedDate: number;
  readonly value: string;
  readonly fee: string;
  status: "Processing" | "Settled" | "Invalid";
  readonly destination: string;
}

interface ToldInvoice {
  readonly id: string;
  readonly destination: string;
  readonly method: string;
  readonly asked: Asked;
  readonly payments: ToldPayment[];
}

interface Asked {
  readonly amount: string;
  readonly currency: string;
  readonly metadata: { readonly orderId: string };
  readonly checkout: {
    readonly paymentMethods: readonly string[];
    readonly expirationMinutes: number;
    readonly monitoringMinutes: number;
  };
}

export interface BtcpayServer {
  readonly url: string;
  readonly apiKey: string;
  readonly storeId: string;
  readonly asked: string[];
  readonly invoices: ToldInvoice[];
  refusal: number | undefined;
  /** Creates invoices but drops the answers. */
  losesAnswers: boolean;
  isSynchronising: boolean;
  /** Gives this address to every invoice. */
  pool: string | undefined;
  methods: string[];
  pay(invoice: string, value: string, more?: Partial<Pick<ToldPayment, "id" | "status">>): ToldPayment;
  close(): Promise<void>;
}

export const signature = (secret: string, body: string) =>
  `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;

export async function openBtcpayServer(clock: () => Date = () => new Date()): Promise<BtcpayServer> {
  const server = createServer((request, response) => void answer(request, response)).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  const btcpay: BtcpayServer = {
    url: `http://127.0.0.1:${port}`,
    apiKey: "8c2f40d1b7e94a3fa6d05e17",
    storeId: "9RfWcLkxQn2cNbCDXTw1o6mUv5sJ",
    asked: [],
    invoices: [],
    refusal: undefined,
    losesAnswers: false,
    isSynchronising: false,
    pool: undefined,
    methods: ["LTC-CHAIN"],
    pay: (id, value, more = {}) => {
      const invoice = btcpay.invoices.find((one) => one.id === id);
      if (!invoice) throw new Error(`there is no invoice ${id}`);
      const serial = btcpay.invoices.flatMap(({ payments }) => payments).length + 1;
      const payment: ToldPayment = {
        id: `${String(serial).padStart(64, "a")}-1`,
        receivedDate: Math.floor(clock().getTime() / 1000),
        value,
        fee: "0.0",
        status: "Processing",
        destination: invoice.destination,
        ...more,
      };
      invoice.payments.push(payment);
      return payment;
    },
    close: () => {
      server.closeAllConnections();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    btcpay.asked.push(`${request.method} ${request.url}`);
    const [status, said] =
      btcpay.refusal === undefined
        ? await questions(btcpay, request)
        : [btcpay.refusal, { code: "unavailable", message: `not for ${request.headers.authorization}` }];
    if (btcpay.losesAnswers && request.method === "POST") return void response.destroy();
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(said));
  };
  return btcpay;
}

const unauthenticated = { code: "unauthenticated", message: "Authentication is required" };

/** The status and body for a request. */
async function questions(btcpay: BtcpayServer, request: IncomingMessage): Promise<[number, unknown]> {
  if (request.headers.authorization !== `token ${btcpay.apiKey}`) return [401, unauthenticated];
  const url = new URL(request.url ?? "/", btcpay.url);
  if (url.pathname === "/api/v1/server/info") return [200, info(btcpay)];
  const store = `/api/v1/stores/${btcpay.storeId}/invoices`;
  if (!url.pathname.startsWith(store)) return [403, { code: "missing-permission" }];
  const [, id, part] = url.pathname.slice(store.length).split("/");
  if (id === undefined) {
    if (request.method === "POST") return create(btcpay, JSON.parse(await textIn(request)) as Asked);
    return [200, btcpay.invoices.slice(0, Number(url.searchParams.get("take"))).map(header)];
  }
  const invoice = btcpay.invoices.find((one) => one.id === id);
  if (!invoice) return [404, { code: "invoice-not-found", message: "The invoice was not found" }];
  if (part !== "payment-methods") return [200, header(invoice)];
  return [200, [methodOf(invoice, url.searchParams.get("onlyAccountedPayments") !== "false")]];
}

function create(btcpay: BtcpayServer, asked: Asked): [number, unknown] {
  const [method = ""] = asked.checkout.paymentMethods;
  if (!btcpay.methods.includes(method))
    return [
      400,
      { code: "generic-error", message: `Error while creating the invoice: ${method} is not set up` },
    ];
  const serial = btcpay.invoices.length + 1;
  const invoice: ToldInvoice = {
    id: `Inv${String(serial).padStart(19, "0")}`,
    destination: btcpay.pool ?? `ltc1q${String(serial).padStart(38, "q")}`,
    method,
    asked,
    payments: [],
  };
  btcpay.invoices.push(invoice);
  return [200, header(invoice)];
}

const header = ({ id, asked }: ToldInvoice) => ({
  id,
  amount: asked.amount,
  currency: asked.currency,
  status: "New",
  additionalStatus: "None",
  metadata: asked.metadata,
});

const methodOf = ({ method, destination, payments }: ToldInvoice, onlyAccounted: boolean) => ({
  paymentMethodId: method,
  currency: method.split("-")[0],
  destination,
  paymentLink: `litecoin:${destination}`,
  rate: "77.31",
  due: "0.5",
  amount: "0.5",
  payments: payments.filter(({ status }) => !onlyAccounted || status !== "Invalid"),
  activated: true,
});

const info = ({ isSynchronising }: BtcpayServer) => ({
  version: "2.3.0",
  supportedPaymentMethods: ["BTC-CHAIN", "LTC-CHAIN"],
  fullySynched: false,
  syncStatus: [
    { paymentMethodId: "BTC-CHAIN", available: false, chainHeight: 900_000, syncHeight: 17 },
    {
      paymentMethodId: "LTC-CHAIN",
      available: !isSynchronising,
      chainHeight: 2_900_000,
      syncHeight: 2_900_000,
    },
  ],
});
