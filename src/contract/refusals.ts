import { languageCodes } from "../i18n/languages.ts";
import { eventNames } from "./event-names.ts";

/** Every refusal. The key is the byte-exact `value` (spec B §8, O §8); the text is the `hint` and goes into the documentation. */
export const refusals = {
  // The public API, spec B §8.
  token: "The token is missing, unknown, replaced, blocked or not yet activated.",
  site: "The site is missing, is not a domain name, or is not served here.",
  domain: "The mail domain is missing or is not on sale.",
  "no emails": "None of the requested mail domains has an address left for this site.",
  "price too high": "The price is higher than `max_price`: price names it, and nothing was ordered.",
  "no balance": "The balance is lower than the price: top up first.",
  "wait message": "The letter has not arrived yet: try again in a few seconds.",
  "activation canceled": "The activation was canceled or has expired, and was refunded.",
  "no activation":
    "You have no such activation, or it has not received a letter yet, so it cannot be reordered.",
  "too many open":
    "The account has open orders as they are allowed: 50 (or as the shop sets), and one more for each letter of its last 30 days; a fifth of the 50 after many cancels. open and open_max are the numbers: wait for letters, or cancel orders.",
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
  "no candidate": "`code` must be one of the `code_candidates` of the letter, or its `code`.",
  "letter proved": "The signature of the letter proves that it is from the site, so it cannot be refunded.",
  "letter not checked": "The signature of the letter is still being checked: try again in a minute.",
  "not complainable":
    "The price of this activation is final: its mailbox belongs to the shop, its letter was paid for, or three days have passed since it came.",
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

  "account in use":
    "Something of the account is still open; open says what and how many: orders that wait, payments and complaints that are not decided, held earnings, withdrawals, batches on sale or in a check, or the role of an administrator.",
  give_up:
    "`give_up` must be exactly the sum that is left in the account: the answer has it as give_up, and left says of what.",
  avatar: "`avatar` must be a whole number from 0 to 5.",

  // Events and webhooks.
  last_event_id: "`last_event_id` must be the id of an event from /user/events.",
  before: "`before` must be the `next` value of the previous page.",
  book: "`book` must be balance, referrals, soft or investor.",
  name: "`name` must be 1 to 60 characters long.",
  sites: "`sites` must be at most 100 site names separated by commas, each of them served here.",
  max_price: "`max_price` must be a number of dollars above 0 with at most 8 decimals.",
  price_max: "`price_max` must be a number of dollars above 0 with at most 8 decimals.",
  budget_day: "`budget_day` must be a number of dollars above 0 with at most 8 decimals.",
  expires_at: "`expires_at` must be a time in the future, in unix seconds.",
  session:
    "This is done by a person, in a session that a sign-in by password or passkey began: not by the token of the account, which programs have.",
  "no session": "You have no such session.",
  "second factor":
    "The password is right, and the account has a second factor: kinds names what it has. Send `ticket` with a code, or let the browser answer `passkey`, to /user/authorize/factor within five minutes.",
  ticket: "This sign-in is unknown, was ended, or has waited for more than five minutes: begin again.",
  "invalid passkey": "The passkey is not one of this account, or its answer is wrong or too late: try again.",
  "no passkeys": "Browsers make no passkeys at the address of this shop: it needs a name and TLS.",
  "no factor": "You have no such factor.",
  "no factors": "The account has no second factor.",
  "no second factor":
    "Administrators of this shop need a second factor before they act: add a passkey or an authenticator app to the account.",
  proof:
    "Prove that it is you: call /user/prove with your password, then repeat this call. It counts for ten minutes, as signing in does.",
  open: "`open` must be 0 or 1.",
  until: "`until` must be a time within the next 7 days, in unix seconds.",
  "no backorder": "You have no such order that waits for stock: it was placed, has ended, or was removed.",
  threshold: "`threshold` must be a number of dollars above 0 with at most 8 decimals, or omitted.",
  "no token": "You have no such limited token.",
  "token limit":
    "This limited token does not allow this: it exceeds the token’s sites, highest price, daily budget or calls.",
  url: "`url` must be an https address of a public host on port 443, at most 2,000 characters long.",
  events: `\`events\` must be event names separated by commas: ${eventNames.join(", ")}.`,
  enabled: "`enabled` must be 0 or 1.",
  delivery: "`delivery` must be an id from /user/webhooks/deliveries.",
  "no webhook": "You have no such webhook.",
  "no delivery": "This webhook has no such delivery.",
  "too many": "Your account has reached its limit: remove one first.",

  // Partners, spec O §5 and §8.
  word: "`word` must be 1 to 64 characters: A-Z, a-z, 0-9, _ and - are allowed.",
  "word taken": "This word is taken: choose another one.",
  "too many words": "You cannot change the word any more: choose one of your earlier words.",

  "no partner": "There is no account with this id.",
  way: "`way` must be referrals, soft or investor.",
  payout: "The payout must be a number of dollars above 0 with at most 8 decimals.",
  "more than due": "This is more than there is to withdraw.",
  "no withdrawals": "This shop takes no requests for withdrawals: contact support.",
  "too small": "This is less than the shop pays out at once: least says how much it must be.",
  "too large":
    "This is more than one withdrawal may be, or than is left for these 24 hours: most says how much can be asked for now.",
  address: "`address` must be an address of this currency’s chain, without a mistake in it.",
  "own address": "This is an address of the shop: name one of your own wallet.",
  "no withdrawal": "There is no such withdrawal.",
  "withdrawal decided": "The withdrawal was sent, paid, refused or canceled before.",
  transaction: "`transaction` must be the id of a transaction of this chain.",
  "transaction used": "This transaction pays another withdrawal.",
  "unknown transaction":
    "The chain does not show this transaction. If it was sent just now, try again in a minute.",
  "wrong recipient": "The transaction pays nothing to the address of this withdrawal.",
  "wrong coin": "The transaction pays another coin to this address.",
  "too little": "The transaction pays less than this withdrawal: paid and wanted are the coins.",
  "chain unreachable":
    "No node of this chain answers now, so the transaction could not be checked: try again soon.",
  decision:
    "`decision` must be release or refuse; for a batch, approve, refuse, withdraw, restore or free; for a complaint, refund or refuse; for an adjustment, approve or refuse.",
  "nothing held": "Nothing is held of this, or it was processed before.",
  "no waiting order": "There is no order with this id that waits for a letter.",
  "question limit":
    "You have as many questions without an answer as an account may have: wait for an answer first.",
  "no question": "There is no question with this id.",
  "question answered": "This question has an answer already.",
  "no complaint": "No complaint about this order is under review.",
  note: "`note` is too long, or has control characters. A note of an order has at most 60 characters.",
  key: "`key` must be 1 to 255 characters long.",

  // Investors, spec O §5.
  "not an investor": "Only investors can make this call: contact support to become one.",
  "account under review":
    "One of your batches failed its check: an operator must review your account before you can upload more.",
  type: "Send the file as text/plain, not compressed.",
  "upload under way": "Another file of this account is still being read: wait until that is done.",
  "upload too slow":
    "The file arrived at less than 32 KB a second: use a faster connection, or split the file.",
  columns:
    "Most lines of the file are not login:password: their columns are separated by another sign than a colon, or an address follows the password. Nothing was stored; keep the first two columns with a colon between them.",
  "too few mailboxes":
    "A batch needs at least 20 accepted mailboxes: new ones, on domains registered here; rejected says why lines were refused.",

  // Payments, spec B §7 and §8.
  wallet: "`wallet` must be one of the currency ids in the documentation.",
  amount: "`amount` must be a number of dollars from 1 to 100000 with at most 2 decimals.",
  "no rate": "There is no trusted exchange rate for this currency now: choose another one or try again soon.",
  "no payment": "You have no such payment.",
  "payment closed": "The payment is paid already, or has ended.",
  "nothing to credit":
    "Nothing of this payment can be credited early: it is not short, what came is not confirmed yet, or it is less than a dollar.",
  verdict: "`verdict` must be credit, credit_locked or reject.",
  reason: "`reason` must be 1 to 500 characters long.",
  "no review": "The payment is not under review, and nothing of it is left to process.",
  "nothing confirmed": "No final transfer has arrived for this payment.",

  // Announcements, spec O §3.
  "no news": "There is no announcement with this id.",
  lang: `\`lang\` must be one of ${languageCodes.join(", ")}.`,
  priority: "`priority` must be a whole number from 0 to 1000000.",
  importance: "`importance` must be normal, important or critical.",
  translations:
    "`translations` must be a list with en in it and each language once: lang, title (at most 200 characters), lines (a list of at most 30, each of at most 1,000 characters) and date (YYYY-MM-DD, or omitted).",
  action: "`action` must be up or down.",
  "too many news": "There are already 100 announcements, the maximum: delete one first.",
  test: "`test` must be 0 or 1.",

  // Stories, spec O §3.
  "no story": "There is no story with this id.",
  title: "`title` must be 1 to 120 characters long.",
  description: "`description` must be at most 300 characters long.",
  image: "`image` must be the path that /api/admin/stories/image returned: upload the picture first.",
  buttontext: "`buttontext` must be at most 60 characters long.",
  link: "`link` must be an https address, or a path of this shop that begins with a slash.",
  slides:
    "`slides` must be a list of 1 to 20: title (at most 120 characters) and text (at most 2,000), at least one of them not empty, description (at most 300), image (an uploaded one) and bg_color (white, blue, purple, orange, green, red, turquoise, grey, purple-blue or black).",
  is_critical: "`is_critical` must be 0 or 1.",
  direction: "`direction` must be up or down.",
  "too many stories": "There are already 50 stories, the maximum: delete one first.",
  "picture type": "Send the picture as image/jpeg, image/png, image/webp, image/gif or image/avif.",
  picture: "The file is not a readable picture, or has more than 40 million pixels.",

  // The back office.
  table: "There is no such table.",
  sort: "`sort` must be the name of a sortable column, with a minus sign before it for the largest first.",
  search: "`search` must be at most 200 characters long.",
  filters: "`filters` must be column:value pairs separated by commas, of columns that can be filtered.",
  "mail domain": "The name of a mail domain must be a full domain name, such as letters.example.com.",
  price: "`price` must be a number of dollars above 0 with at most 8 decimals.",
  prices:
    "`prices` must be mail domains, or own, hosted or all, separated by commas; with a site and a slash before it for the price of this site alone.",
  how: "`how` must be to, by, percent or general.",
  from: "`from` must be a time in the future, in unix seconds, or omitted.",
  "no price change": "There is no change of prices with this number, or it was taken back before its moment.",
  "price changed since": "A price of this change was changed again since: change that one.",
  kind: "`kind` must be own or hosted.",
  on: "`on` must be 0 or 1.",
  count: "`count` must be a whole number from 1 to 100000.",
  "domain exists": "A mail domain with this name already exists: change that one.",
  "no domain": "There is no mail domain with this name.",
  "nothing to change": "The call contains nothing to change.",
  "not own":
    "The mailboxes of a hosted domain are on its own server: import them with the operator’s command.",
  "not hosted": "The mail of an own domain arrives here, so it has no IMAP server.",
  queue: "There is no such queue.",
  "no task": "Nothing of this waits or can be tried again.",
  "stock busy": "Mailboxes are already being added: wait until that is done.",
  imap: "`imap` must be a host with its port, such as imap.example.com:993.",
  tls: "`tls` must be implicit, starttls or none.",
  "tls needed":
    "Without TLS others could read the passwords on the way, so none is only for a server on this machine.",
  connections: "`connections` must be a whole number from 1 to 10000.",
  logins: "`logins` must be a whole number from 1 to 1000000.",
  ca: "`ca` must be certificates in PEM, at most 64,000 characters, and not together with known_ca.",
  known_ca: "`known_ca` must be 0 or 1.",
  senders: "`domains` must be domains that letters can come from, separated by commas.",
  "no sender": "Letters from this domain do not count for the site, or it is the site itself.",
  blocked: "`blocked` must be 0 or 1.",
  "no user": "There is no account with this id.",
  yourself: "You cannot do this to your own account.",
  "last administrator": "This is the last owner: appoint another one first.",
  "named in settings":
    "The settings of the shop (ADMIN_EMAILS) make this account an owner: only the operator’s command takes that away or blocks it.",
  "office account": "This account has a role in the back office: an owner must take that away first.",
  "second person": "You asked for this yourself: a second person must agree.",
  "no adjustment": "No such adjustment waits: it was decided, or it has expired.",
  change: "`amount` must be a number of dollars above or below 0 with at most 8 decimals.",
  "more than there is": "The balance is lower than this amount.",
  "key used": "This key was used for something else: use a new one, or repeat the first call unchanged.",
  role: "`role` must be owner, money, support, editor or investor.",
  granted: "`granted` must be 0 or 1.",
  percent: "`percent` must be a number from 0 to 90 with at most 4 decimals.",
  "no batch": "There is no investor batch with this number.",
  "not under review": "The batch is not under review.",
  "batch decided": "The batch was already put on sale or refused.",
  "not on sale": "The batch was never put on sale.",
  "not off sale": "The batch was not taken off sale.",
  "not refused": "Only the addresses of a refused batch can be freed.",
  "mailboxes opened": "A mailbox of the batch has opened, so its addresses stay their owner’s.",
  "freed before":
    "Some of these addresses were freed before and refused again: they rest for thirty days after that.",
  "owner may not sell":
    "The owner of the batch is blocked or no investor any more: unblock the account, or make it an investor again.",
  "nothing to see": "No refused batch of this account needs a review.",
  coin: "`coin` must be one that is accepted in payment, such as TRX.",
  "not held": "The rate of this coin is not held.",
  "letter gone": "There is no letter with this id; letters that no order received are deleted after a day.",
  "audit under way": "An audit is already running: wait until it is done.",
  "audit too long": "The audit takes too long for a call: run it with the operator’s command.",

  // The first run.
  "domain name": "`domain` must be a domain name, such as letters.example.",
  family: "`wallet` must be evm, tron, ltc or ton.",
  "public key":
    "`key` must be an extended public key of an account (for TON: a public key in hex); reason says what is wrong.",
  "private key":
    "This is a private key. Never give it to a shop. We stored nothing, but move your funds to a new wallet.",
  "first address": "`first` must be an address of that chain; a TON wallet cannot be checked without it.",

  // The edge.
  "no access": "This call is for administrators.",
  "not found": "There is no such call.",
  method: "This call needs another method: allow names those it accepts.",
  size: "The request is larger than this call accepts.",
  request: "The request could not be read.",
  limit: "Too many requests: wait retry_after seconds, then try again.",
  server: "Something went wrong on our side; it has been logged.",
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
  "chain unreachable": "soon",
  "unknown transaction": "soon",
  "no emails": "later",
  "too many open": "later",
  "reorder waits": "later",
  "price too high": "later",
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
  "size",
  "token limit",
] as const satisfies readonly Refusal[];
