import type { Endpoints } from "../../contract/api.ts";
import type { ActName } from "../../contract/office/acts.ts";
import type { RefusalOf } from "../../contract/endpoint.ts";
import type { AppKey, OfficeKey, PublicKey, Translator } from "../../i18n/t.ts";
import type { Refused } from "../api.ts";
import { refusalText } from "../refusalText.ts";

type Asked =
  | ActName
  | "auditShop"
  | "inspectLetter"
  | "officeFile"
  | "officeOrder"
  | "officeStatement"
  | "officeOverview"
  | "officeTable"
  | "postmasterLetters";
type Needed = "no second factor";
type Common =
  | "token"
  | "session"
  | "proof"
  | "no access"
  | "no activation"
  | "no payment"
  | "payment closed"
  | "no rate"
  | "page";

// A missing text does not compile. Excludes what the dialogs cannot send.
const keys: Record<Exclude<RefusalOf<Endpoints[Asked]>, Common> | Needed, OfficeKey> = {
  "no second factor": "office.refusal.needsFactor",
  request: "office.refusal.request",
  "no question": "office.refusal.noQuestion",
  "question answered": "office.refusal.questionAnswered",
  table: "office.refusal.request",
  book: "office.refusal.request",
  sort: "office.refusal.request",
  search: "office.refusal.request",
  filters: "office.refusal.filters",
  "mail domain": "office.refusal.mailDomain",
  price: "office.refusal.price",
  prices: "office.refusal.prices",
  how: "office.refusal.request",
  from: "office.refusal.from",
  "no price change": "office.refusal.noPriceChange",
  "price changed since": "office.refusal.priceChangedSince",
  kind: "office.refusal.request",
  on: "office.refusal.request",
  count: "office.refusal.count",
  "domain exists": "office.refusal.domainExists",
  "no domain": "office.refusal.noDomain",
  "nothing to change": "office.refusal.samePrice",
  "not own": "office.refusal.notOwn",
  "not hosted": "office.refusal.notHosted",
  "stock busy": "office.refusal.stockBusy",
  imap: "office.refusal.imap",
  tls: "office.refusal.request",
  "tls needed": "office.refusal.tlsNeeded",
  connections: "office.refusal.request",
  logins: "office.refusal.request",
  ca: "office.refusal.certificates",
  known_ca: "office.refusal.request",
  site: "office.refusal.site",
  senders: "office.refusal.senders",
  "no sender": "office.refusal.noSender",
  blocked: "office.refusal.request",
  "no user": "office.refusal.noUser",
  "no factors": "office.refusal.noFactors",
  yourself: "office.refusal.yourself",
  "named in settings": "office.refusal.namedInSettings",
  "office account": "office.refusal.officeAccount",
  "second person": "office.refusal.secondPerson",
  "no adjustment": "office.refusal.decided",
  "last administrator": "office.refusal.lastAdministrator",
  "account not activated": "office.refusal.notConfirmed",
  change: "office.refusal.change",
  "more than there is": "office.refusal.moreThanThereIs",
  "key used": "office.refusal.keyUsed",
  key: "office.refusal.request",
  role: "office.refusal.request",
  granted: "office.refusal.request",
  percent: "office.refusal.percent",
  "no batch": "office.refusal.noBatch",
  decision: "office.refusal.request",
  "not under review": "office.refusal.decided",
  "batch decided": "office.refusal.decided",
  "not on sale": "office.refusal.decided",
  "not off sale": "office.refusal.decided",
  "not refused": "office.refusal.decided",
  "mailboxes opened": "office.refusal.mailboxesOpened",
  "freed before": "office.refusal.freedBefore",
  "owner may not sell": "office.refusal.ownerMayNotSell",
  "nothing to see": "office.refusal.decided",
  "no partner": "office.refusal.noUser",
  way: "office.refusal.request",
  payout: "office.refusal.payout",
  "more than due": "office.refusal.moreThanDue",
  note: "office.refusal.reason",
  "nothing held": "office.refusal.decided",
  "no waiting order": "office.refusal.noWaitingOrder",
  "no complaint": "office.refusal.decided",
  verdict: "office.refusal.request",
  reason: "office.refusal.reason",
  "no review": "office.refusal.decided",
  "nothing confirmed": "office.refusal.nothingConfirmed",
  coin: "office.refusal.request",
  queue: "office.refusal.request",
  "no task": "office.refusal.noTask",
  "not held": "office.refusal.notHeld",
  "audit under way": "office.refusal.auditUnderWay",
  "audit too long": "office.refusal.auditTooLong",
  "letter gone": "office.refusal.letterGone",
  before: "office.refusal.request",
  "no withdrawal": "office.refusal.noWithdrawal",
  "withdrawal decided": "office.refusal.decided",
  transaction: "office.refusal.transaction",
  "transaction used": "office.refusal.transactionUsed",
  "unknown transaction": "office.refusal.unknownTransaction",
  "wrong recipient": "office.refusal.wrongRecipient",
  "wrong coin": "office.refusal.wrongCoin",
  "too little": "office.refusal.tooLittle",
  "chain unreachable": "office.refusal.chainUnreachable",
};

export function officeRefusalText(
  t: Translator<PublicKey | AppKey | OfficeKey>,
  refused: Refused<string>,
): string {
  const key = (keys as Record<string, OfficeKey | undefined>)[refused.value];
  return key === undefined ? refusalText(t, refused) : t(key);
}
