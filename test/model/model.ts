// The shop as maps: the expected answers, balances, lists and counters after each act.
// The shop chooses a free mailbox; the model determines everything else.

export const books = [
  "balance",
  "referrals",
  "soft",
  "investor",
  "referrals.held",
  "soft.held",
  "investor.held",
] as const;
export type Book = (typeof books)[number];
type Way = "referrals" | "soft";
export type Status = "pending" | "received" | "canceled" | "expired";

export type ModelUser = {
  userId: bigint;
  referredBy: bigint | undefined;
  isBlocked: boolean;
  books: Record<Book, bigint>;
  earned: Record<Way | "investor", { sum: bigint; count: number }>;
};

export type ModelMailbox = {
  mailboxId: bigint;
  domainId: number;
  batchId: number;
  email: string;
  isDead: boolean;
};

export type ModelOrder = {
  orderId: bigint;
  userId: bigint;
  siteId: number;
  mailbox: ModelMailbox;
  price: bigint;
  number: number;
  status: Status;
  isHidden: boolean;
  softId: bigint | undefined;
  reorderOf: bigint | undefined;
  key: string | undefined;
  quantity: number | undefined;
  placedAt: number;
  overAt: number;
  letterIds: bigint[];
  share?: ModelShare;
  /** What partners earn once the investor's share ends, unless it is refunded. */
  waiting: { book: Way; userId: bigint; amount: bigint }[];
};

export type ModelShare = {
  investorId: bigint;
  amount: bigint;
  state: "held" | "released" | "refused" | "refunded";
  isProved: boolean;
  /** A job decides it after three days; else the operator. */
  isDue: boolean;
  complaint: "review" | "refunded" | "rejected" | undefined;
};

export type ModelLetter = { letterId: bigint; mailboxId: bigint; siteId: number; arrivedAt: number };

export type Model = {
  turn: number;
  users: Map<bigint, ModelUser>;
  sites: Map<number, { isBlocked: boolean }>;
  domains: Map<number, { price: bigint; isOnSale: boolean }>;
  batches: Map<
    number,
    { investorId: bigint | undefined; sharePpm: bigint; shuns: Set<number>; isWithdrawn: boolean }
  >;
  mailboxes: Map<bigint, ModelMailbox>;
  orders: ModelOrder[];
  unjudged: ModelLetter[];
  /** Batches and sites whose shares go to the shop unless a letter is proved. */
  refused: Set<string>;
  /** Buyers and partners of whom the operator must decide: the partner was blocked when he earned. */
  ties: Set<string>;
  shop: Record<"escrow" | "revenue" | "bonuses" | "adjustments" | "payouts" | "sandbox", bigint>;
};

export function emptyModel(): Model {
  return {
    turn: 0,
    users: new Map(),
    sites: new Map(),
    domains: new Map(),
    batches: new Map(),
    mailboxes: new Map(),
    orders: [],
    unjudged: [],
    refused: new Set(),
    ties: new Set(),
    shop: { escrow: 0n, revenue: 0n, bonuses: 0n, adjustments: 0n, payouts: 0n, sandbox: 0n },
  };
}

export const emptyBooks = () => Object.fromEntries(books.map((book) => [book, 0n])) as Record<Book, bigint>;

export function addUser(model: Model, userId: bigint, referredBy?: bigint): void {
  const none = () => ({ sum: 0n, count: 0 });
  model.users.set(userId, {
    userId,
    referredBy,
    isBlocked: false,
    books: emptyBooks(),
    earned: { referrals: none(), soft: none(), investor: none() },
  });
}

export function get<Key, Value>(map: Map<Key, Value>, key: Key): Value {
  const value = map.get(key);
  if (value === undefined) throw new Error(`the model has no ${String(key)}`);
  return value;
}

const holds = ({ status, reorderOf }: ModelOrder) =>
  (status === "pending" || status === "received") && reorderOf === undefined;

export function freeFor(model: Model, siteId: number, domainId: number): ModelMailbox[] {
  const held = new Set(
    model.orders.filter((order) => order.siteId === siteId && holds(order)).map(({ mailbox }) => mailbox),
  );
  return livingOf(model, domainId).filter(
    (mailbox) => !held.has(mailbox) && !get(model.batches, mailbox.batchId).shuns.has(siteId),
  );
}

export function livingOf(model: Model, domainId: number): ModelMailbox[] {
  return [...model.mailboxes.values()].filter(
    (mailbox) =>
      mailbox.domainId === domainId && !mailbox.isDead && !get(model.batches, mailbox.batchId).isWithdrawn,
  );
}

export type Ask = { userId: bigint; softId: bigint | undefined; key: string | undefined };
export type Refused = { refusal: string; missing?: bigint };
export type Verdict = { repeats: ModelOrder } | Refused | { domainId: number; price: bigint };

export function judgePlace(
  model: Model,
  ask: Ask & { siteId: number; domainIds: number[] },
  quantity = 1,
): Verdict {
  const repeats = byKey(model, ask);
  if (repeats && ask.domainIds.length > 0)
    return repeats.siteId === ask.siteId &&
      repeats.quantity === quantity &&
      ask.domainIds.includes(repeats.mailbox.domainId)
      ? { repeats }
      : { refusal: "key used" };
  const user = model.users.get(ask.userId);
  if (ask.domainIds.length === 0) return { refusal: "domain" };
  if (!user || user.isBlocked) return { refusal: "token" };
  if (get(model.sites, ask.siteId).isBlocked) return { refusal: "site" };
  let isSoldOut = false;
  const missing: bigint[] = [];
  for (const domainId of ask.domainIds) {
    const { price, isOnSale } = get(model.domains, domainId);
    if (!isOnSale) continue;
    const isThere = freeFor(model, ask.siteId, domainId).length > 0;
    if (isThere && user.books.balance >= price) return { domainId, price };
    if (isThere) missing.push(price - user.books.balance);
    else isSoldOut = true;
  }
  if (missing.length > 0)
    return { refusal: "no balance", missing: missing.reduce((least, each) => (each < least ? each : least)) };
  return { refusal: isSoldOut ? "no emails" : "domain" };
}

export function judgeReorder(
  model: Model,
  ask: Ask,
  first: ModelOrder | undefined,
  isMeant: (order: ModelOrder) => boolean,
): Verdict {
  const user = model.users.get(ask.userId);
  if (!user || user.isBlocked) return { refusal: "token" };
  const isOwn = first?.userId === ask.userId && first.status === "received";
  const named = byKey(model, ask);
  if (named && !isMeant(named)) return { refusal: "key used" };
  const repeats =
    named ??
    (isOwn
      ? model.orders.find(
          (order) =>
            order.mailbox === first.mailbox &&
            order.siteId === first.siteId &&
            order.status === "pending" &&
            order.reorderOf !== undefined,
        )
      : undefined);
  if (repeats) return { repeats };
  if (!isOwn) return { refusal: "no activation" };
  const { domainId, isDead, batchId } = first.mailbox;
  const { price } = get(model.domains, domainId);
  if (get(model.sites, first.siteId).isBlocked) return { refusal: "site" };
  if (isDead || get(model.batches, batchId).isWithdrawn) return { refusal: "email banned" };
  if (user.books.balance < price) return { refusal: "no balance", missing: price - user.books.balance };
  return { domainId, price };
}

function byKey(model: Model, { userId, key }: Ask): ModelOrder | undefined {
  if (key === undefined) return undefined;
  return model.orders.find((order) => order.userId === userId && order.key === key);
}

export function addOrder(
  model: Model,
  order: Pick<
    ModelOrder,
    "orderId" | "userId" | "siteId" | "mailbox" | "price" | "softId" | "reorderOf" | "key" | "quantity"
  >,
): void {
  const number = model.orders.filter(({ userId }) => userId === order.userId).length + 1;
  move(model, order.userId, -order.price);
  model.shop.escrow += order.price;
  // A reorder keeps the program of the first order.
  const first = model.orders.find(({ orderId }) => orderId === order.reorderOf);
  model.orders.push({
    ...order,
    softId: order.softId ?? first?.softId,
    number,
    status: "pending",
    isHidden: false,
    placedAt: model.turn,
    overAt: Infinity,
    letterIds: [],
    waiting: [],
  });
}

export function move(model: Model, userId: bigint, amount: bigint, book: Book = "balance"): void {
  get(model.users, userId).books[book] += amount;
}

export function cancel(model: Model, userId: bigint, orderId: bigint): string {
  const order = model.orders.find((each) => each.orderId === orderId);
  if (order?.userId !== userId) return "no activation";
  if (order.status === "pending") close(model, order, "canceled");
  else if (order.status === "received" && !order.isHidden) order.isHidden = true;
  else return "activation already canceled";
  return "activation canceled";
}

function close(model: Model, order: ModelOrder, status: "canceled" | "expired"): void {
  order.status = status;
  model.shop.escrow -= order.price;
  move(model, order.userId, order.price);
}

export function expire(model: Model): number {
  const waits = new Set(model.unjudged.map(({ mailboxId }) => mailboxId));
  const due = model.orders.filter(
    ({ status, overAt, mailbox }) =>
      status === "pending" && overAt <= model.turn && !waits.has(mailbox.mailboxId),
  );
  for (const order of due) close(model, order, "expired");
  return due.length;
}

export function deliver(model: Model, letter: ModelLetter): { orderId: bigint; isFirst: boolean }[] {
  const fits = model.orders.filter(
    ({ siteId, mailbox, status, placedAt, overAt }) =>
      siteId === letter.siteId &&
      mailbox.mailboxId === letter.mailboxId &&
      (status === "pending" || status === "received") &&
      placedAt < letter.arrivedAt &&
      letter.arrivedAt < overAt,
  );
  return fits.map((order) => {
    const isFirst = order.status === "pending";
    if (isFirst) earn(model, order);
    // By arrival, not by matching.
    order.letterIds = [...order.letterIds, letter.letterId].toSorted((a, b) => Number(b - a));
    return { orderId: order.orderId, isFirst };
  });
}

function earn(model: Model, order: ModelOrder): void {
  const { investorId, sharePpm, isWithdrawn } = get(model.batches, order.mailbox.batchId);
  const partners = partnersOf(model, order);
  const parts = partners.reduce((sum, { amount }) => sum + amount, 0n);
  order.status = "received";
  model.shop.escrow -= order.price;
  model.shop.revenue += order.price - parts;
  for (const { userId } of partners) tie(model, order.userId, userId);
  const investor = investorId === order.userId ? undefined : model.users.get(investorId ?? 0n);
  const most = (order.price * 950_000n) / 1_000_000n - parts;
  const share = (order.price * sharePpm) / 1_000_000n;
  const amount = share < most ? share : most;
  if (!investor || amount <= 0n) {
    for (const part of partners) pay(model, order.userId, part);
    return;
  }
  // Letters of this model are signed after they came.
  investor.books["investor.held"] += amount;
  model.shop.revenue -= amount;
  for (const { book, userId, amount: part } of partners)
    get(model.users, userId).books[`${book}.held`] += part;
  order.waiting = partners;
  order.share = {
    investorId: investor.userId,
    amount,
    state: "held",
    isProved: false,
    isDue: !isWithdrawn,
    complaint: undefined,
  };
}

function partnersOf(model: Model, { userId, softId, price }: ModelOrder): ModelOrder["waiting"] {
  const amount = (price * 5n) / 100n;
  const { referredBy } = get(model.users, userId);
  return [
    { book: "referrals" as const, userId: referredBy },
    { book: "soft" as const, userId: softId },
  ].flatMap(({ book, userId: partner }) =>
    partner === undefined || partner === userId || !model.users.has(partner) || amount === 0n
      ? []
      : [{ book, userId: partner, amount }],
  );
}

/** Ties a buyer to a partner who is blocked. Whether they are tied. */
export function tie(model: Model, buyerId: bigint, partnerId: bigint): boolean {
  const pair = `${buyerId} ${partnerId}`;
  if (get(model.users, partnerId).isBlocked) model.ties.add(pair);
  return model.ties.has(pair);
}

/** Gives a partner a part; held while the buyer is tied to him. */
export function pay(
  model: Model,
  buyerId: bigint,
  { book, userId, amount }: ModelOrder["waiting"][number],
): void {
  const { books: theirs, earned } = get(model.users, userId);
  if (tie(model, buyerId, userId)) {
    theirs[`${book}.held`] += amount;
    return;
  }
  theirs[book] += amount;
  earned[book].sum += amount;
  earned[book].count += 1;
}

export function moveMoney(
  model: Model,
  from: "sandbox" | "bonuses" | "adjustments" | "payouts",
  userId: bigint,
  amount: bigint,
  book: Book = "balance",
): boolean {
  if (get(model.users, userId).books[book] + amount < 0n) return false;
  move(model, userId, amount, book);
  model.shop[from] -= amount;
  return true;
}

export function listsOf(model: Model, userId: bigint): { activations: ModelOrder[]; history: ModelOrder[] } {
  const history = model.orders.filter((order) => order.userId === userId).toReversed();
  const activations = history.filter(
    ({ status, isHidden }) => status === "pending" || (status === "received" && !isHidden),
  );
  return { activations, history };
}
