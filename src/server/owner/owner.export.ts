// All that the shop keeps of an account, as one JSON text in pieces: what its calls tell, a page at a time, and what they do not.
import type { Asking, Endpoint, Reply } from "../../contract/endpoint.ts";
import { questions } from "../../contract/account/questions.ts";
import { backorders } from "../../contract/orders/backorders.ts";
import { batches } from "../../contract/investors.ts";
import { securityEvents } from "../../contract/account/security.ts";
import { books } from "../../contract/fields.ts";
import { batchesMax } from "../../contract/limits.ts";
import { history } from "../../contract/orders.ts";
import { skips } from "../../contract/orders/skips.ts";
import { payments, paymentStatus } from "../../contract/payments.ts";
import { statement } from "../../contract/statement.ts";
import { sessions, tokens } from "../../contract/tokens.ts";
import { information } from "../../contract/users.ts";
import { webhooks } from "../../contract/webhooks.ts";
import { withdrawals } from "../../contract/account/withdrawals.ts";
import { unixSeconds } from "../platform/clock.ts";
import type { Db } from "../platform/db/db.ts";
import { type Caller, Limited, Refused } from "../platform/http/answer.ts";
import type { Ask } from "../platform/http/ask.ts";
import { showUsd } from "../platform/money.ts";
import { lowBalanceOf } from "./owner.low.ts";
import * as rows from "./owner.sql.ts";

interface Parts {
  readonly db: Db;
  readonly ask: Ask;
  readonly caller: Caller;
}

type Items = AsyncIterable<object> | Iterable<object>;

/** Throws when something cannot be read: a part must not look whole. */
export async function* jsonOf(parts: Parts, at: Date): AsyncGenerator<string, void, undefined> {
  yield `{"made_at":${unixSeconds(at)},"account":${JSON.stringify(await accountOf(parts))}`;
  yield* lists(await smallOf(parts));
  yield* lists({
    security: securityOf(parts),
    batches: batchesOf(parts),
    questions: questionsOf(parts),
    withdrawals: withdrawalsOf(parts),
  });
  yield ',"statement":{';
  for (const [index, book] of books.entries())
    yield* list(index === 0 ? "" : ",", book, statementOf(parts, book));
  yield "}";
  yield* lists({ payments: paymentsOf(parts), orders: ordersOf(parts) });
  yield "}\n";
}

async function* lists(named: Record<string, Items>): AsyncGenerator<string, void, undefined> {
  for (const [name, items] of Object.entries(named)) yield* list(",", name, items);
}

async function* list(before: string, name: string, items: Items): AsyncGenerator<string, void, undefined> {
  yield `${before}"${name}":[`;
  let comma = "";
  for await (const item of items) {
    yield comma + JSON.stringify(item);
    comma = ",";
  }
  yield "]";
}

async function replyOf<E extends Endpoint>(
  { ask, caller }: Parts,
  endpoint: E,
  asked: Asking<E>,
): Promise<Reply<E>> {
  const answer = await ask(endpoint, asked, caller);
  if (answer instanceof Refused) throw new Error(`${endpoint.name} was refused: ${answer.value}`);
  if (answer instanceof Limited) throw new Error(`${endpoint.name} was refused for a while`);
  return answer;
}

async function accountOf(parts: Parts): Promise<object> {
  const { db, caller } = parts;
  const { token: _secret, ...account } = (await replyOf(parts, information, {})).data;
  const person = await rows.selectPerson(db, caller.userId);
  const words = await rows.selectWords(db, caller.userId);
  const { threshold } = await lowBalanceOf(db, caller.userId);
  return {
    ...account,
    language: person?.language,
    activated_at: person?.activatedAt ? unixSeconds(person.activatedAt) : null,
    telegram_id: person?.telegramId ? String(person.telegramId) : null,
    invited: person?.isReferred === true,
    low_balance: threshold === undefined ? null : showUsd(threshold),
    referral_words: words.map(({ word }) => word),
  };
}

async function smallOf(parts: Parts): Promise<Record<string, Items>> {
  const { db, caller } = parts;
  const { userId } = caller;
  return {
    sessions: (await replyOf(parts, sessions, {})).data,
    tokens: (await replyOf(parts, tokens, {})).data,
    webhooks: (await replyOf(parts, webhooks, {})).data,
    backorders: (await replyOf(parts, backorders, {})).data,
    telegram_chats: (await rows.selectChats(db, userId)).map(({ chatId, language }) => ({
      chat_id: String(chatId),
      language,
    })),
    notices: (await rows.selectNotices(db, userId)).map(({ at, ...notice }) => ({
      ...notice,
      at: unixSeconds(at),
    })),
    identifiers: (await rows.selectIdentifiers(db, userId)).map(({ kind, expiresAt }) => ({
      kind,
      expires_at: expiresAt && unixSeconds(expiresAt),
    })),
    skipped_domains: (await replyOf(parts, skips, {})).data,
    code_choices: (await rows.selectChoices(db, userId)).map(({ at, ...choice }) => ({
      ...choice,
      at: unixSeconds(at),
    })),
  };
}

async function* securityOf(parts: Parts): AsyncGenerator<object, void, undefined> {
  let before: string | undefined;
  do {
    const page: Reply<typeof securityEvents> = await replyOf(
      parts,
      securityEvents,
      before === undefined ? {} : { before },
    );
    yield* page.data;
    before = page.next;
  } while (before !== undefined);
}

async function* withdrawalsOf(parts: Parts): AsyncGenerator<object, void, undefined> {
  let last = 1;
  for (let page = 1; page <= last; page += 1) {
    const { data, pages } = await replyOf(parts, withdrawals, { offset: page });
    yield* data;
    last = pages;
  }
}

async function* questionsOf(parts: Parts): AsyncGenerator<object, void, undefined> {
  for (let offset = 1, isMore = true; isMore; offset++) {
    const page: Reply<typeof questions> = await replyOf(parts, questions, { offset: String(offset) });
    yield* page.data;
    isMore = page.next_page;
  }
}

async function* batchesOf(parts: Parts): AsyncGenerator<object, void, undefined> {
  let offset: number | null = 0;
  while (offset !== null && parts.caller.investor) {
    const page: Reply<typeof batches> = await replyOf(parts, batches, {
      limit: String(batchesMax),
      offset: String(offset),
    });
    for (const value of Object.values(page)) if (typeof value === "object" && value !== null) yield value;
    offset = page.next_offset;
  }
}

async function* statementOf(
  parts: Parts,
  book: (typeof books)[number],
): AsyncGenerator<object, void, undefined> {
  let before: string | undefined;
  do {
    const page: Reply<typeof statement> = await replyOf(parts, statement, {
      book,
      ...(before !== undefined && { before }),
    });
    yield* page.data;
    before = page.next;
  } while (before !== undefined);
}

async function* paymentsOf(parts: Parts): AsyncGenerator<object, void, undefined> {
  for (let offset = 1, isMore = true; isMore; offset++) {
    const page = await replyOf(parts, payments, { offset: String(offset) });
    for (const { id } of page.data) yield replyOf(parts, paymentStatus, { id });
    isMore = page.next_page;
  }
}

async function* ordersOf(parts: Parts): AsyncGenerator<object, void, undefined> {
  for (let offset = 1, isMore = true; isMore; offset++) {
    const page = await replyOf(parts, history, { offset: String(offset), size: "50" });
    for (const day of Object.values(page.data)) yield* day;
    isMore = page.next_page;
  }
}
