import { accountExamples } from "./account/examples.ts";
import type { EndpointName, Endpoints } from "./api.ts";
import type { Reply } from "./endpoint.ts";

type OfPages = "captchaChallenge" | "disown" | "newsList" | "playPayment" | "testPost";
/** What people do on the pages, in a session. */
type OfPersons =
  | "sessions"
  | "endSession"
  | "endOtherSessions"
  | "securityEvents"
  | "factors"
  | "beginPasskey"
  | "addPasskey"
  | "beginApp"
  | "addApp"
  | "newRecoveryCodes"
  | "removeFactor"
  | "askPasskey"
  | "setPassword"
  | "changeEmail"
  | "confirmEmail"
  | "ownData"
  | "closing"
  | "closeAccount"
  | "withdrawals"
  | "askWithdrawal"
  | "cancelWithdrawal";
type OfStories = "storyList" | "viewedStories" | "viewStory";
/** The documented calls: the seven of spec B §2, then the rest, without those of the operator and the pages. */
export type DocumentedName = Exclude<
  { [Name in EndpointName]: Endpoints[Name]["access"] extends "admin" ? never : Name }[EndpointName],
  OfPages | OfPersons | OfStories
>;

interface Example<Name extends EndpointName> {
  ask: Partial<Record<keyof Endpoints[Name]["ask"], string>>;
  reply: Reply<Endpoints[Name]>;
}

const ordered = {
  id: "40000000001",
  email: "nora.k@letters.test",
  site: "instagram.com",
  domain: "letters.test",
  price: 0.0035,
  balance: "1.2465",
  expires_at: 1_795_260_000,
};
const skip = { site: ordered.site, domain: ordered.domain, expires_at: 1_795_863_600 };
const where = { from: ordered.site, email: ordered.email };
const waiting = {
  id: "52703829114021",
  site: ordered.site,
  domains: ["letters.test", "mailroom.test"],
  max_price: "0.01",
  state: "waiting" as const,
  created_at: 1_795_258_800,
  until: 1_795_863_600,
};
const webhook = {
  id: "80000000007",
  url: "https://program.example.com/letters",
  events: ["letter"],
  enabled: true,
  created_at: 1_795_000_000,
};
const delivery = {
  id: "50000000501",
  message_id: "msg_2pQ8sV1nB6xT0wLr5YhC9d",
  event: "letter",
  state: "delivered" as const,
  tries: 1,
  http_status: 200,
  created_at: 1_795_258_860,
  delivered_at: 1_795_258_861,
};
const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const short = {
  id: "90000000001",
  payment_status: 0 as const,
  state: "underpaid" as const,
  currency: "usdttrc20",
  currency_name: "USDT TRC20",
  currency_amount: "1.55",
  wallet: "TXYZ…",
  network: "TRON (TRC20)",
  amount: "1.55",
  credited: "0.0",
  received: "1",
  missing: "0.55",
  transfers: [
    {
      amount: "1",
      currency: "usdttrc20",
      status: "confirmed" as const,
      confirmations: 19,
      confirmations_wanted: 19,
      at: 1_795_258_980,
      txid: "7c2d4206c03a883dd9066d620335dc1be272a8dc733cfa3f6d10308faa37facc",
    },
  ],
  sandbox: false,
  created_at: 1_795_258_800,
  expires_at: 1_795_262_400,
};
/** A request and an answer for each call; the compiler checks them against the contract. */
export const examples: { [Name in DocumentedName]: Example<Name> } = {
  balance: { ask: {}, reply: { balance: "1.25" } },
  quantity: {
    ask: { site: "instagram.com" },
    reply: { site: "instagram.com", data: { "letters.test": { count: 12, price: 0.0035 } } },
  },
  orderEmail: { ask: { site: "instagram.com", domain: "letters.test,mailroom.test" }, reply: ordered },
  getMessage: {
    ask: { id: ordered.id },
    reply: {
      message: "<p>Your code is <b>482910</b></p>",
      letter_id: "60000000812",
      code: "482910",
      code_confidence: "sure",
      subject: "482910 is your Instagram code",
      sender: "no-reply@mail.instagram.com",
      received_at: 1_795_258_860,
      attachments: [{ name: "terms.pdf", type: "application/pdf", size: 48_210 }],
      remote_images: 0,
      messages: 1,
    },
  },
  reorderEmail: { ask: { id: ordered.id }, reply: { ...ordered, id: "40000000002" } },
  cancelEmail: { ask: { id: ordered.id }, reply: { value: "activation canceled", balance: "1.25" } },
  notFromSite: { ask: { id: ordered.id }, reply: { value: "refunded", balance: "1.25" } },
  backorders: { ask: {}, reply: { data: [waiting] } },
  addBackorder: {
    ask: { site: waiting.site, domain: "letters.test,mailroom.test", max_price: "0.01" },
    reply: { data: waiting },
  },
  removeBackorder: { ask: { id: waiting.id }, reply: {} },
  aggregators: { ask: {}, reply: { data: { all: ["letters.test", "mailroom.test"] } } },
  timeline: {
    ask: { id: ordered.id },
    reply: {
      data: [
        { at: 1_795_258_800, step: "ordered", amount: "0.0035" },
        {
          at: 1_795_258_860,
          step: "letter",
          letter_id: "60000000812",
          sender: "no-reply@mail.instagram.com",
          subject: "482910 is your Instagram code",
          fits: true,
        },
        { at: 1_795_258_860, step: "charged", amount: "0.0035" },
      ],
    },
  },
  releaseLetter: {
    ask: { id: ordered.id, letter: "811" },
    reply: {
      message: "<p>Welcome</p>",
      letter_id: "811",
      subject: "Welcome to Instagram",
      sender: "hello@mail.instagram.com",
      received_at: 1_795_258_830,
      attachments: [],
      remote_images: 2,
      messages: 1,
    },
  },
  chooseCode: {
    ask: { id: ordered.id, code: "739201" },
    reply: { letter_id: "812", code: "739201", code_confidence: "chosen", code_candidates: ["482910"] },
  },
  skips: { ask: {}, reply: { data: [skip] } },
  addSkip: { ask: { site: skip.site, domain: skip.domain }, reply: skip },
  removeSkip: { ask: { site: skip.site, domain: skip.domain }, reply: {} },
  noteOrder: { ask: { id: ordered.id, note: "for Nora" }, reply: { id: ordered.id, note: "for Nora" } },
  events: { ask: { last_event_id: "90000090210" }, reply: {} },
  history: {
    ask: { offset: "1" },
    reply: {
      data: {
        "2026-11-21": [
          {
            id: ordered.id,
            ...where,
            status: "ok",
            messages: ["<p>Your code is <b>482910</b></p>"],
            letters: [
              {
                letter_id: "60000000812",
                sender: "no-reply@mail.instagram.com",
                subject: "482910 is your Instagram code",
                received_at: 1_795_258_860,
                attachments: [],
                code: "482910",
              },
            ],
            price: 0.0035,
            created_at: 1_795_258_800,
            received_at: 1_795_258_860,
          },
        ],
      },
      next_page: false,
      pages: 1,
    },
  },
  activations: {
    ask: { page: "1" },
    reply: {
      data: [
        {
          activation_id: ordered.id,
          ...where,
          status: 0,
          message: "",
          attachments: [],
          price: 0.0035,
          created_at: 1_795_258_800,
          expires_at: 1_795_260_000,
        },
      ],
      pages: 1,
      waiting: 1,
    },
  },
  ...accountExamples,
  statement: {
    ask: {},
    reply: {
      data: [
        {
          id: "31",
          at: 1_795_258_800,
          kind: "hold",
          amount: "-0.0035",
          balance: "1.2465",
          activation_id: ordered.id,
          site: ordered.site,
          email: ordered.email,
        },
        {
          id: "30",
          at: 1_795_258_000,
          kind: "topup",
          amount: "1.25",
          balance: "1.25",
          payment_id: "90000000001",
        },
      ],
    },
  },
  historyFile: { ask: { state: "received" }, reply: {} },
  letterSource: { ask: { id: ordered.id }, reply: {} },
  statementFile: { ask: {}, reply: {} },
  addReferralWord: {
    ask: { word: "nora" },
    reply: { success: true, word: "nora", link: "https://postern.example/?ref=nora" },
  },
  statsReferral: { ask: {}, reply: { data: [{ date: "2026-11-20", earned: "0.000875", count: 5 }] } },
  statsSoft: {
    ask: {},
    reply: { data: [{ date: "2026-11-20", earned: "0.0175", count: 100 }] },
  },
  uploadBatch: {
    ask: { sites: "facebook.com", client_order_id: "batch-17" },
    reply: {
      id_batch: "17",
      accepted: 5000,
      rejected: { malformed: 3, unknown_domain: 0, duplicate_in_file: 1, duplicate: 0 },
      domains: ["mail.example"],
      restricted: ["facebook.com"],
    },
  },
  batches: {
    ask: { limit: "10", offset: "0" },
    reply: {
      0: {
        id_batch: "17",
        created_at: 1_795_257_000,
        count: 5000,
        alive: 4996,
        amount: "1.2345",
        percent: 0.3,
        domain_names: ["mail.example"],
        state: "active",
        reason: null,
        checked: 1,
        rejected: { malformed: 3, unknown_domain: 0, duplicate_in_file: 1, duplicate: 0 },
        restricted: ["facebook.com"],
      },
      total: 1,
      next_offset: null,
    },
  },
  investorStats: {
    ask: {},
    reply: {
      total_amount: "1.2345",
      today_amount: "0.0105",
      need_to_pay: "0.2345",
      last_payment_date: "2026-11-20",
      days: [{ date: "2026-11-21", earned: "0.0105", count: 10 }],
    },
  },
  webhooks: { ask: {}, reply: { data: [webhook] } },
  addWebhook: { ask: { url: webhook.url, events: "letter" }, reply: { webhook, secret } },
  changeWebhook: { ask: { id: webhook.id, enabled: "1" }, reply: { webhook } },
  replaceWebhookSecret: { ask: { id: webhook.id }, reply: { webhook, secret } },
  testWebhook: { ask: { id: webhook.id }, reply: { delivery: { ...delivery, event: "test" } } },
  removeWebhook: { ask: { id: webhook.id }, reply: {} },
  webhookDeliveries: { ask: { id: webhook.id }, reply: { data: [delivery], next_page: false } },
  webhookDelivery: {
    ask: { id: webhook.id, delivery: delivery.id },
    reply: {
      delivery,
      body: '{"type":"letter",…}',
      headers: { "webhook-id": delivery.message_id },
      answer: { type: "text/plain", text: "ok" },
    },
  },
  redeliver: { ask: { id: webhook.id, delivery: delivery.id }, reply: { delivery } },
  createPayment: { ask: { wallet: "usdttrc20", amount: "1.55" }, reply: { id: "90000000001" } },
  paymentStatus: { ask: { id: short.id }, reply: { ...short, credit_now: "1.0", seconds: 63 } },
  creditReceived: { ask: { id: short.id }, reply: { ...short, state: "confirming", missing: "0" } },
  dropPayment: {
    ask: { id: short.id },
    reply: {
      ...short,
      state: "awaiting",
      received: "0",
      missing: short.currency_amount,
      transfers: [],
      dropped: true,
    },
  },
  payments: {
    ask: { offset: "1", group: "credited" },
    reply: {
      data: [
        {
          id: "30000000001",
          payment_status: 1,
          state: "credited",
          currency: "ltc",
          currency_name: "Litecoin",
          currency_amount: "0.06",
          wallet: "ltc1q…",
          network: "Litecoin",
          amount: "5.0",
          credited: "5.0",
          received: "0.06",
          missing: "0",
          sandbox: false,
          created_at: 1_795_258_800,
          expires_at: 1_795_262_400,
        },
      ],
      next_page: false,
      pages: 1,
      found: 1,
    },
  },
  paymentCurrencies: {
    ask: {},
    reply: {
      data: [
        {
          id: "usdttrc20",
          name: "USDT TRC20",
          network: "TRON (TRC20)",
          on_sale: true,
          min: "1.0",
          decimals: 2,
          seconds: 63,
        },
        {
          id: "ltc",
          name: "Litecoin",
          network: "Litecoin",
          on_sale: false,
          why: "no rate",
          min: "1.0",
          decimals: 5,
        },
      ],
    },
  },
};
