import { languageCodes } from "../i18n/languages.ts";

/** Every refusal. The key is the byte-exact `value` (spec B §8, O §8); the text is the `hint` and goes into the documentation. */
export const refusals = {
  // The public API, spec B §8.
  token: "The token is missing, unknown, replaced, blocked or not yet activated.",
  site: "The site is missing, is not a domain name, or is not served here.",
  domain: "The mail domain is missing or is not on sale.",
  "no emails": "None of the asked mail domains has an address left for this site.",
  "no balance": "The balance is lower than the price: top up first.",
  "wait message": "The letter has not arrived yet: ask again in a few seconds.",
  "activation canceled": "The activation was canceled or has expired, and was refunded.",
  "no activation": "There is no such activation of yours, or none to reorder that has received a letter.",
  "reorder waits":
    "Another reorder of this address waits for a letter, with other filters: cancel it (waiting is its id) or wait for its letter.",
  "email banned": "The mailbox no longer receives letters.",
  "activation already canceled": "The activation was canceled or has expired before.",
  subject: "The subject is one word of at most 64 characters.",
  regex:
    "The pattern is longer than 500 characters, becomes too large a program, or is not a valid RE2 regular expression; reason says which.",
  page: "The page is a whole number from 1.",
  offset: "The offset is a page number from 1.",
  preview: "The preview is 0 or 1.",
  images: "The images is 0 or 1.",
  quantity: "The quantity is a whole number from 1 to 10.",
  wait: "The wait is a whole number of seconds from 0 to 60.",
  stats: "The stats is 0 or 1.",
  letter: "The letter is the letter_id that another call told.",
  "no letter": "This activation has no such letter and cannot be given it.",
  "letter proved": "The letter proves by its signature to be from the site: it is paid for.",
  "letter not checked": "The signature of the letter is still being checked: ask again in a minute.",
  "not complainable":
    "The price of this activation is final: its mailbox is the shop's own, or three days are over and the letter was paid for.",
  "already complained": "This was said of the activation before.",
  client_order_id: "The client_order_id (or Idempotency-Key) has 1 to 255 printable characters.",

  // Accounts, spec B §8.
  "invalid email": "The e-mail address is missing or is not one.",
  "invalid password":
    "The password is wrong, or holds other than printable Latin characters, or a plus sign.",
  "password too short": "The password needs at least 6 characters.",
  "password too common": "The password is among those that everybody tries first: choose another one.",
  "user not found": "There is no account with this e-mail address.",
  "email already registered": "An account with this e-mail address exists: log in or reset its password.",
  "account not activated": "The account is not activated: enter the code from the e-mail first.",
  "account already activated": "The account is activated already.",
  "invalid code": "The code is wrong, used or was never sent.",
  "token expired": "The code has expired or was tried too often: ask for a new one.",
  "no bot": "This shop has no Telegram bot.",
  "bot unreachable": "Telegram does not answer now: try again in a minute.",
  "not confirmed": "The account must be confirmed by the Telegram bot first.",
  captcha: "The captcha is missing, wrong, expired or used before: solve a new one.",
  localization: "The localization is a language code of two letters.",

  avatar: "The avatar is a number from 0 to 5.",

  // Events and webhooks.
  last_event_id: "The last_event_id is the id of an event of /user/events.",
  before: "The before is what the last page named as next.",
  book: "The book is balance, referrals, soft or investor.",
  name: "The name has 1 to 60 characters.",
  sites: "The sites are at most 100 site names separated by commas, each one that is served here.",
  price_max: "The price_max is a number of dollars above 0 with at most 8 decimals.",
  budget_day: "The budget_day is a number of dollars above 0 with at most 8 decimals.",
  expires_at: "The expires_at is a time in the future, in unix seconds.",
  "no token": "There is no such limited token of yours.",
  "token limit":
    "This limited token does not allow that: its sites, highest price, daily budget or calls are exceeded.",
  url: "The url is an https address of a public host at port 443, at most 2,000 characters long.",
  events: "The events are event names separated by commas: activation, letter, balance, payment.",
  enabled: "The enabled is 0 or 1.",
  delivery: "The delivery is an id that /user/webhooks/deliveries named.",
  "no webhook": "There is no such webhook of yours.",
  "no delivery": "There is no such delivery of this webhook.",
  "too many": "There are as many as an account may have: remove one first.",

  // Partners, spec O §5 and §8.
  word: "The word has 1 to 64 characters: A-Z, a-z, 0-9, _ and - are allowed.",
  "word taken": "This word belongs to somebody else: choose another one.",
  "too many words": "The word was changed as often as it may be: choose one of your earlier ones.",

  "no partner": "There is no account with this id.",
  way: "The way is referrals, soft or investor.",
  payout: "The payout is a number of dollars above 0 with at most 8 decimals.",
  "more than due": "The partner has less to withdraw.",
  decision:
    "The decision is release or refuse; about a batch, approve or refuse; about a complaint, refund or refuse.",
  "nothing held": "Nothing is held for these two, or it was decided before.",
  "no complaint": "No complaint about this order is under review.",
  note: "The note has at most 500 characters.",
  key: "The key has 1 to 255 characters.",

  // Investors, spec O §5.
  "not an investor": "This call is for investors: support decides who becomes one.",
  "account under review":
    "A batch of this account was refused by its check: the operator looks at the account before it may bring more.",
  type: "The file is sent as text/plain, and not compressed.",
  "upload under way": "Another file of this account is being taken in: wait until that is done.",
  "upload too slow":
    "The file came at less than 32 KB a second: send it over a faster line, or in several files.",
  "too few mailboxes":
    "A batch needs 20 mailboxes that can be taken: new ones, of domains that are registered here; rejected says why lines were not.",

  // Payments, spec B §7 and §8.
  wallet: "The wallet is one of the currency ids of the documentation.",
  amount: "The amount is a number of dollars from 1 to 100000 with at most 2 decimals.",
  "no rate":
    "There is no trustworthy exchange rate for this currency now: try another one or come back soon.",
  "no payment": "There is no such payment of yours.",
  "payment closed": "The payment is confirmed or rejected already.",
  verdict: "The verdict is credit, credit_locked or reject.",
  reason: "The reason has 1 to 500 characters.",
  "no review": "The payment is not under review, and nothing of it is left to be decided.",
  "nothing confirmed": "Nothing that is final has come to the payment.",

  // Announcements, spec O §3.
  "no news": "There is no announcement with this id.",
  lang: `The lang is one of ${languageCodes.join(", ")}.`,
  priority: "The priority is a whole number from 0 to 1000000.",
  importance: "The importance is normal, important or critical.",
  translations:
    "The translations are a list with en in it and each language once: lang, title (at most 200 characters), lines (a list of at most 30, each of at most 1,000 characters) and date (YYYY-MM-DD, or left out).",
  action: "The action is up or down.",
  "too many news": "There are 100 announcements, as many as there may be: delete one first.",
  test: "The test is 0 or 1.",

  // Stories, spec O §3.
  "no story": "There is no story with this id.",
  title: "The title has 1 to 120 characters.",
  description: "The description has at most 300 characters.",
  image: "The image is what /api/admin/stories/image answered: upload the picture first.",
  buttontext: "The buttontext has at most 60 characters.",
  link: "The link is an https address, or a path of this shop that begins with a slash.",
  slides:
    "The slides are a list of 1 to 20: title (at most 120 characters) and text (at most 2,000), of which one must say something, description (at most 300), image (an uploaded one) and bg_color (white, blue, purple, orange, green, red, turquoise, grey, purple-blue or black).",
  is_critical: "The is_critical is 0 or 1.",
  direction: "The direction is up or down.",
  "too many stories": "There are 50 stories, as many as there may be: delete one first.",
  "picture type": "The picture is sent as image/jpeg, image/png, image/webp, image/gif or image/avif.",
  picture: "The file is no picture that can be read, or has more than 40 million pixels.",

  // The back office.
  table: "There is no such table.",
  sort: "The sort is the name of a column that can be sorted, with a minus sign before it for the largest first.",
  search: "The search has at most 200 characters.",
  filters: "The filters are column:value pairs separated by commas, of columns that can be filtered.",
  "mail domain": "The name of a mail domain is a full domain name, such as letters.example.com.",
  price: "The price is a number of dollars above 0 with at most 8 decimals.",
  kind: "The kind is own or hosted.",
  on: "The on is 0 or 1.",
  count: "The count is a whole number from 1 to 100000.",
  "domain exists": "There is a mail domain of this name: change that one.",
  "no domain": "There is no mail domain of this name.",
  "nothing to change": "Nothing to change is given.",
  "not own":
    "The mailboxes of a hosted domain lie on its own server: they are imported by the operator's command.",
  "not hosted": "The mail of an own domain comes to us, so it has no IMAP server.",
  "stock busy": "Mailboxes are being ordered up already: wait until that is done.",
  imap: "The imap is a host with its port, such as imap.example.com:993.",
  tls: "The tls is implicit, starttls or none.",
  "tls needed":
    "Without TLS the passwords could be read on the way, so none is for a server on this machine only.",
  connections: "The connections are a whole number from 1 to 10000.",
  logins: "The logins are a whole number from 1 to 1000000.",
  ca: "The ca is certificates in PEM, at most 64,000 characters, and not given together with known_ca.",
  known_ca: "The known_ca is 0 or 1.",
  senders: "The domains are domains that letters can come from, separated by commas.",
  "no sender": "Letters from this domain do not count for the site, or it is the site itself.",
  blocked: "The blocked is 0 or 1.",
  "no user": "There is no account with this id.",
  yourself: "An administrator cannot do this to the own account.",
  "last administrator": "Nobody else would be an administrator: make somebody one first.",
  change: "The amount is a number of dollars above or below 0 with at most 8 decimals.",
  "more than there is": "The balance is lower than what would be taken from it.",
  "key used": "This key was used for something else: take a new one, or repeat the first call as it was.",
  role: "The role is admin or investor.",
  granted: "The granted is 0 or 1.",
  percent: "The percent is a number from 0 to 90 with at most 4 decimals.",
  "no batch": "There is no batch of an investor with this number.",
  "not under review": "The batch is not under review.",
  "batch decided": "The batch is on sale, or was refused before.",
  "nothing to see": "No refused batch of this account waits for somebody to look at it.",
  coin: "The coin is one that is taken in payment, such as TRX.",
  "not held": "The rate of this coin is not held.",
  "letter gone": "There is no letter with this id; what no order got is forgotten after a day.",
  "audit under way": "An audit is under way: wait until it is done.",
  "audit too long": "The audit takes longer than a call may: run it by the operator's command.",

  // The first run.
  "domain name": "The domain is a domain name, such as letters.example.",
  family: "The wallet is evm, tron, ltc or ton.",
  "public key":
    "The key is no extended public key of an account (for TON: no public key in hex); reason says why.",
  "private key":
    "The key is a private one, which must never be given to a shop: nothing of it was kept, but move what it guards to a new wallet.",
  "first address":
    "The first is no address of that chain, or is missing: a wallet of TON can be checked only with it.",

  // The edge.
  "no access": "This call is for administrators.",
  "not found": "There is no such call.",
  method: "This call is made by another method: allow names those that it takes.",
  size: "The request is larger than this call takes.",
  request: "The request could not be read.",
  limit: "Too many requests: slow down and try again after retry_after seconds.",
  server: "Something broke on our side; it has been logged.",
} as const;

export type Refusal = keyof typeof refusals;

/**
 * Refusals that may end by themselves: `soon` (after `retry_after` seconds, if given) or `later`, after another change.
 * For all others the request must change.
 */
export const askAgain: Partial<Record<Refusal, "soon" | "later">> = {
  "wait message": "soon",
  "letter not checked": "soon",
  limit: "soon",
  server: "soon",
  "bot unreachable": "soon",
  "no emails": "later",
  "reorder waits": "later",
  "no balance": "later",
  "no rate": "later",
  "too many": "later",
  "too many news": "later",
  "too many stories": "later",
  "token limit": "later",
  "stock busy": "later",
  "upload under way": "later",
  "upload too slow": "later",
  "audit under way": "later",
  "account not activated": "later",
  "not confirmed": "later",
};

export const tokenLimits = ["calls", "sites", "price_max", "budget_day"] as const;
export type TokenLimit = (typeof tokenLimits)[number];

/** Seconds until a code may be sent again (spec B §4). */
export type TryAgain = `try again ${number} seconds`;

export const commonRefusals = [
  "limit",
  "server",
  "request",
  "token limit",
] as const satisfies readonly Refusal[];
