/**
 * Every way in which the service says no, once. The key is the byte-exact `value` of the answer (spec B §8, O §8);
 * the text is the sentence for the integrator: it goes into `hint` of the answer and into the documentation.
 */
export const refusals = {
  // The public API, spec B §8.
  token: "The token is missing, unknown, replaced, blocked or not yet activated.",
  site: "The site is missing, is not a domain name, or is not served here.",
  domain: "The mail domain is missing or is not on sale.",
  "no emails": "None of the requested mail domains has an address left for this site.",
  "no balance": "The balance is lower than the price: top up first.",
  "wait message": "The letter has not arrived yet: try again in a few seconds.",
  "activation canceled": "The activation was canceled or has expired, and was refunded.",
  "no activation":
    "You have no such activation, or it has not received a letter yet, so it cannot be reordered.",
  "reorder waits":
    "Another reorder of this address is waiting for a letter with other filters: cancel it (waiting is its id) or wait for its letter.",
  "email banned": "The mailbox no longer receives letters.",
  "activation already canceled": "The activation was already canceled, or has expired.",
  subject: "`subject` must be one word of at most 64 characters.",
  regex:
    "The pattern is longer than 500 characters, compiles to too large a program, or is not valid RE2; reason says which.",
  page: "`page` must be a whole number, at least 1.",
  offset: "`offset` must be a page number, at least 1.",
  preview: "`preview` must be 0 or 1.",
  images: "`images` must be 0 or 1.",
  quantity: "`quantity` must be a whole number from 1 to 10.",
  wait: "`wait` must be a whole number of seconds from 0 to 60.",
  stats: "`stats` must be 0 or 1.",
  letter: "`letter` must be a letter_id from another call.",
  "no letter": "This activation has no such letter, or the letter cannot be released.",
  "letter proved": "The signature of the letter proves that it is from the site, so it cannot be refunded.",
  "letter not checked": "The signature of the letter is still being checked: try again in a minute.",
  "not complainable":
    "The price of this activation is final: its mailbox belongs to the shop, or three days have passed and the letter was paid for.",
  "already complained": "You have already reported this activation.",
  client_order_id: "`client_order_id` (or Idempotency-Key) must be 1 to 255 printable characters.",

  // Accounts, spec B §8.
  "invalid email": "The email address is missing or invalid.",
  "invalid password":
    "The password is wrong, or contains a plus sign or characters that are not printable Latin ones.",
  "password too short": "The password needs at least 6 characters.",
  "password too common": "The password is one of the first that people try: choose another one.",
  "user not found": "There is no account with this email address.",
  "email already registered": "An account with this email address exists: sign in or reset its password.",
  "account not activated": "The account is not activated: enter the code from the email first.",
  "account already activated": "The account is already activated.",
  "invalid code": "The code is wrong or already used, or was never sent.",
  "token expired": "The code has expired or was tried too often: request a new one.",
  "no bot": "This shop has no Telegram bot.",
  "bot unreachable": "Telegram is not responding: try again in a minute.",
  "not confirmed": "Confirm the account with the Telegram bot first.",
  captcha: "The captcha solution is missing, wrong, expired or already used: solve a new one.",
  localization: "`localization` must be a two-letter language code.",

  avatar: "`avatar` must be a whole number from 0 to 5.",

  // For programs.
  last_event_id: "`last_event_id` must be the id of an event from /user/events.",
  before: "`before` must be the `next` value of the previous page.",
  book: "`book` must be balance, referrals, soft or investor.",
  name: "`name` must be 1 to 60 characters long.",
  sites: "`sites` must be at most 100 site names separated by commas, each of them served here.",
  price_max: "`price_max` must be a number of dollars above 0 with at most 8 decimals.",
  budget_day: "`budget_day` must be a number of dollars above 0 with at most 8 decimals.",
  expires_at: "`expires_at` must be a time in the future, in unix seconds.",
  "no token": "You have no such limited token.",
  "token limit":
    "This limited token does not allow this: it exceeds the token’s sites, highest price, daily budget or calls.",
  url: "`url` must be an https address of a public host on port 443, at most 2,000 characters long.",
  events: "`events` must be event names separated by commas: activation, letter, balance, payment.",
  enabled: "`enabled` must be 0 or 1.",
  delivery: "The delivery is an id that /user/webhooks/deliveries named.",
  "no webhook": "You have no such webhook.",
  "no delivery": "This webhook has no such delivery.",
  "too many": "Your account has reached its limit: remove one first.",

  // Partners, spec O §5 and §8.
  word: "`word` must be 1 to 64 characters: A-Z, a-z, 0-9, _ and - are allowed.",
  "word taken": "This word is taken: choose another one.",
  "too many words": "You cannot change the word any more: choose one of your earlier words.",

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
  "not an investor": "Only investors can make this call: contact support to become one.",
  "account under review":
    "One of your batches failed its check: an operator must review your account before you can upload more.",
  type: "Send the file as text/plain, not compressed.",
  "upload under way": "Another file of this account is still being read: wait until that is done.",
  "upload too slow":
    "The file arrived at less than 32 KB a second: use a faster connection, or split the file.",
  "too few mailboxes":
    "A batch needs at least 20 accepted mailboxes: new ones, on domains registered here; rejected says why lines were refused.",

  // Payments, spec B §7 and §8.
  wallet: "`wallet` must be one of the currency ids in the documentation.",
  amount: "`amount` must be a number of dollars from 1 to 100000 with at most 2 decimals.",
  "no rate": "There is no trusted exchange rate for this currency now: choose another one or try again soon.",
  "no payment": "You have no such payment.",
  "payment closed": "The payment is confirmed or rejected already.",
  verdict: "The verdict is credit, credit_locked or reject.",
  reason: "The reason has 1 to 500 characters.",
  "no review": "The payment is not under review, and nothing of it is left to be decided.",
  "nothing confirmed": "Nothing that is final has come to the payment.",

  // Announcements, spec O §3.
  "no news": "There is no announcement with this id.",
  lang: "The lang is en, ru, es, zh, ar or hi.",
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
  "key used": "This key was used for something else: use a new one, or repeat the first call unchanged.",
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
  size: "The request is larger than this call accepts.",
  request: "The request could not be read.",
  limit: "Too many requests: wait retry_after seconds, then try again.",
  server: "Something went wrong on our side; it has been logged.",
} as const;

export type Refusal = keyof typeof refusals;

/**
 * Refusals of a right ask that may be granted later: `soon` (after `retry_after` seconds, where they are told), or `later`,
 * when something has changed beside the ask. What is not named here is refused until the ask itself is another.
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

/** What `token limit` says was exceeded: a limit by the name that it is set by, or calls that limited tokens may not make. */
export const tokenLimits = ["calls", "sites", "price_max", "budget_day"] as const;
export type TokenLimit = (typeof tokenLimits)[number];

/** The one value that carries a number: a code may be sent again after so many seconds (spec B §4). */
export type TryAgain = `try again ${number} seconds`;

/** Refusals that any call may answer, whatever it declares. */
export const commonRefusals = [
  "limit",
  "server",
  "request",
  "token limit",
] as const satisfies readonly Refusal[];
