/**
 * Every way in which the service says no, once. The key is the byte-exact `value` of the answer (spec B §8, O §8);
 * the text is the sentence for the integrator: it goes into `hint` of the answer and into the documentation.
 */
export const refusals = {
  // The public API, spec B §8.
  token: "The token is missing, unknown, replaced, blocked or not yet activated.",
  site: "The site is missing, is not a domain name, or is not served here.",
  domain: "The mail domain is missing or is not on sale.",
  "no emails": "None of the asked mail domains has an address left for this site.",
  "no balance": "The balance is lower than the price: top up first.",
  "wait message": "The letter has not arrived yet: ask again in a few seconds.",
  "activation canceled": "The activation was canceled or has expired, and was refunded.",
  "no activation": "There is no such activation of yours.",
  "email banned": "The mailbox no longer receives letters.",
  "activation already canceled": "The activation was canceled or has expired before.",
  subject: "The subject is one word of at most 64 characters.",
  regex: "The pattern is longer than 500 characters or is not a valid RE2 regular expression.",
  page: "The page is a whole number from 1.",
  offset: "The offset is a page number from 1.",
  preview: "The preview is 0 or 1.",
  client_order_id: "The client_order_id (or Idempotency-Key) has 1 to 255 printable characters.",

  // Accounts, spec B §8.
  "invalid email": "The e-mail address is missing or is not one.",
  "invalid password":
    "The password is wrong, or holds other than printable Latin characters, or a plus sign.",
  "password too short": "The password needs at least 6 characters.",
  "user not found": "There is no account with this e-mail address.",
  "email already registered": "An account with this e-mail address exists: log in or reset its password.",
  "account not activated": "The account is not activated: enter the code from the e-mail first.",
  "account already activated": "The account is activated already.",
  "invalid code": "The code is wrong, used or was never sent.",
  "token expired": "The code has expired or was tried too often: ask for a new one.",
  captcha: "The captcha is missing, wrong, expired or used before: solve a new one.",
  localization: "The localization is a language code of two letters.",

  // Payments, spec B §7 and §8.
  wallet: "The wallet is one of the currency ids of the documentation.",
  amount: "The amount is a number of dollars from 1 to 100000 with at most 2 decimals.",
  "no rate":
    "There is no trustworthy exchange rate for this currency now: try another one or come back soon.",
  "no payment": "There is no such payment of yours.",
  "payment closed": "The payment is confirmed or rejected already.",

  // The edge.
  "no access": "This call is for administrators.",
  "not found": "There is no such call.",
  size: "The request is larger than this call takes.",
  request: "The request could not be read.",
  limit: "Too many requests: slow down and try again after retry_after seconds.",
  server: "Something broke on our side; it has been logged.",
} as const;

export type Refusal = keyof typeof refusals;

/** The one value that carries a number: a code may be sent again after so many seconds (spec B §4). */
export type TryAgain = `try again ${number} seconds`;

/** Refusals that any call may answer, whatever it declares. */
export const commonRefusals = ["limit", "server", "request"] as const satisfies readonly Refusal[];
