// Tells the chat of a linked account of each new letter, and what else its owner must know, at most once.
import type { Api } from "grammy";
import * as z from "zod/mini";
import type { ShopEvent } from "../../contract/events.ts";
import type { Language } from "../../i18n/languages.ts";
import type { EventRow } from "../events/events.ts";
import { now, secondsAfter } from "../platform/clock.ts";
import { attempt, type Db } from "../platform/db/db.ts";
import { schedule, type Job } from "../platform/jobs/scheduler.ts";
import {
  addTasks,
  failTask,
  finishTasks,
  mayBeDone,
  type NewTask,
  takeTasks,
  type Task,
  waitOf,
} from "../platform/jobs/tasks.ts";
import type { Log } from "../platform/log.ts";
import { blockChat, watchSeconds } from "./bot.sql.ts";
import {
  deleteLetters,
  moveChats,
  type NewLetter,
  type News,
  selectLanguages,
  takeLetters,
} from "./bot.letters.sql.ts";
import { isForChats, messageOf, chatEvents } from "./bot.messages.ts";
import { failureOf } from "./bot.telegram.ts";
import { texts } from "./bot.texts.ts";

const chatsMax = 500;
const eventsMax = 100;
/** As many as Telegram takes in the second until the next turn. */
const takenAtOnce = 30;
/** Chats with a message on its way: no other chat waits for its answer. */
const placesMax = 300;
/** One message to a chat at a time. What may have been shown is not sent again after a crash. */
const taking = { queue: "bot", kinds: chatEvents, perKey: 1, leaseSeconds: 5 * 60, once: true };
const backOff = { waitsSeconds: [3, 9, 27, 81, 243] };
/** A code of an hour ago is useless. */
const newsSeconds = 60 * 60;
const keepSeconds = 7 * 24 * 60 * 60;
const blocked = 403;
const tooMany = 429;
/** The failure of a letter that Telegram may have shown: it is not sent again, the chat is told of it instead. */
const unsure = "no answer: it may have been shown";

export interface LettersParts {
  readonly db: Db;
  readonly log: Log;
  readonly api: Api;
  readonly publicUrl: string;
  readonly describe: (rows: readonly EventRow[]) => Promise<ReadonlyMap<bigint, ShopEvent>>;
}

export function openLetters(parts: LettersParts): Job[] {
  const { db } = parts;
  const log = { error: (details: object, text: string) => parts.log.error(details, text) };
  const flying = new Map<bigint, Promise<void>>();
  const work = () => tellDue(parts, flying);
  const letters = schedule({ name: "bot letters", seconds: 1, db, log, work });
  const forget = async () => void (await deleteLetters(db, secondsAfter(now(), -keepSeconds)));
  return [
    {
      ...letters,
      stop: async () => {
        await letters.stop();
        await Promise.all(flying.values());
      },
    },
    schedule({ name: "forget telegram letters", seconds: 3600, db, log, work: forget }),
  ];
}

/** What an event names. Amounts may be greater than a number of JSON holds exactly. */
const Payload = z.object({
  letter: z.optional(z.int()),
  order: z.optional(z.int()),
  backorder: z.optional(z.int()),
  status: z.optional(z.string()),
  balance: z.optional(z.string()),
  amount: z.optional(z.string()),
});

/** What a chat is to be told of. */
interface Owed {
  readonly task: Task;
  readonly chatId: bigint;
  readonly language: Language;
  readonly about: z.infer<typeof Payload>;
}

/** Begins to tell what is due, one message to a chat at a time, and waits for no answer. */
async function tellDue(parts: LettersParts, flying: Map<bigint, Promise<void>>): Promise<void> {
  const { db, log } = parts;
  const at = now();
  await attempt(db, async (tx) => {
    const since = secondsAfter(at, -newsSeconds);
    const fresh = await moveChats(tx, chatEvents, { since, chatsMax, size: eventsMax });
    const left = await takeLetters(tx, at);
    await addTasks(tx, [
      ...fresh.map((news) => taskOf(news, at)),
      ...left.map((letter) => taskOfLetter(letter, at)),
    ]);
    return undefined;
  });
  const size = Math.min(takenAtOnce, placesMax - flying.size);
  const owed = await owedBy(db, await takeTasks(db, { ...taking, size }, at));
  const described = await parts.describe(owed.map(eventOf));
  for (const [place, each] of owed.entries()) {
    const telling = tell(parts, each, described.get(BigInt(place)))
      .catch((fault: unknown) =>
        log.error({ err: fault, ...aboutOf(each) }, "what became of a message is not noted"),
      )
      .finally(() => flying.delete(each.task.id));
    flying.set(each.task.id, telling);
  }
}

const aboutOf = ({ task, about: { letter } }: Owed) =>
  letter === undefined ? { task: String(task.id), kind: task.kind } : { letter: String(letter) };

function taskOf(news: News, at: Date): NewTask {
  const { chatId, userId, id, name: kind, orderId, letterId, status, balance, amount, backorderId } = news;
  if (kind === "letter" && letterId !== null && orderId !== null)
    return taskOfLetter({ chatId, userId, letterId, orderId, tries: 0, failure: null }, at);
  const payload = {
    ...(orderId !== null && { order: Number(orderId) }),
    ...(status !== null && { status }),
    ...(balance !== null && { balance: String(balance) }),
    ...(backorderId !== null && { backorder: Number(backorderId) }),
    ...(amount !== null && { amount: String(amount) }),
  };
  const key = String(chatId);
  return { queue: taking.queue, kind, key, userId, ref: `${chatId} event ${id}`, payload, dueAt: at };
}

const taskOfLetter = (
  { chatId, letterId, userId, orderId, tries, failure }: NewLetter,
  at: Date,
): NewTask => ({
  queue: taking.queue,
  kind: "letter",
  key: String(chatId),
  userId,
  ref: `${chatId} ${letterId}`,
  payload: { letter: Number(letterId), order: Number(orderId) },
  dueAt: at,
  tries,
  failure,
});

async function owedBy(db: Db, tasks: readonly Task[]): Promise<Owed[]> {
  const chats = await selectLanguages(
    db,
    tasks.map(({ key }) => BigInt(key)),
  );
  const languages = new Map(chats.map(({ chatId, language }) => [chatId, language]));
  return tasks.map((task) => {
    const chatId = BigInt(task.key);
    const language = languages.get(chatId) ?? "en";
    return { task, chatId, language, about: Payload.parse(task.payload) };
  });
}

const eventOf = ({ task, about }: Owed, place: number): EventRow => ({
  userId: task.userId ?? 0n,
  id: BigInt(place),
  name: task.kind,
  orderId: bigOrNull(about.order),
  letterId: bigOrNull(about.letter),
  paymentId: null,
  status: about.status ?? null,
  balance: bigOrNull(about.balance),
  amount: bigOrNull(about.amount),
  backorderId: bigOrNull(about.backorder),
});

const bigOrNull = (value: number | string | undefined) => (value === undefined ? null : BigInt(value));

async function tell(
  { api, db, log, publicUrl }: LettersParts,
  owed: Owed,
  event: ShopEvent | undefined,
): Promise<void> {
  const { task, chatId, language } = owed;
  if (!event || !isForChats(event)) return giveUp(db, task, "what it was about is gone");
  const { text, rows } = messageOf(event, {
    say: texts[language],
    language,
    publicUrl,
    isUnsure: mayBeShown(task),
  });
  try {
    await api.sendMessage(Number(chatId), text, {
      parse_mode: "HTML",
      link_preview_options: { is_disabled: true },
      reply_markup: { inline_keyboard: rows },
    });
  } catch (fault) {
    return failed({ db, log }, owed, fault);
  }
  await finishTasks(db, [task], now());
}

const mayBeShown = ({ failure }: Task) => failure === unsure || failure === mayBeDone;

const giveUp = async (db: Db, task: Task, failure: string): Promise<void> =>
  void (await failTask(db, task, { failure, dueAt: undefined }));

/** Sends again what certainly was not shown. Of what may have been, the chat is told by the next try, without the letter. */
async function failed(
  { db, log }: Pick<LettersParts, "db" | "log">,
  owed: Owed,
  fault: unknown,
): Promise<void> {
  const { task, chatId } = owed;
  const failure = failureOf(fault);
  const at = now();
  if (!failure) return void (await failTask(db, task, { failure: "not sent", dueAt: at }));
  if (failure.status === blocked) {
    await giveUp(db, task, failure.text);
    await attempt(db, (tx) => blockChat(tx, chatId, at, secondsAfter(at, watchSeconds)));
    return;
  }
  const isOurs = failure.status >= 400 && failure.status < 500 && failure.status !== tooMany;
  const wait = isOurs ? undefined : waitOf(backOff, task.tries);
  const dueAt = wait === undefined ? undefined : secondsAfter(at, failure.retryAfterSeconds ?? wait);
  const isUnsure = !failure.isUndone || mayBeShown(task);
  await failTask(db, task, { failure: isUnsure ? unsure : failure.text, dueAt });
  const about = { ...aboutOf(owed), tries: task.tries, failure: failure.text };
  if (isUnsure)
    log.warn(about, dueAt ? "a message may have been told by the bot" : "a chat was not told of a message");
  else log.warn(about, dueAt ? "a message waits for Telegram" : "a message was not told by the bot");
}
