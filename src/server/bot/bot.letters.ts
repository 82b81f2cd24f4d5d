// Sends each new letter of a linked account to its chat, at most once.
import type { Api } from "grammy";
import type { EventBody, ShopEvent } from "../../contract/events.ts";
import type { EventRow } from "../events/events.ts";
import { now, secondsAfter } from "../platform/clock.ts";
import { attempt, type Db } from "../platform/db/db.ts";
import { schedule, type Job } from "../platform/jobs/scheduler.ts";
import type { Log } from "../platform/log.ts";
import { blockChat, watchSeconds } from "./bot.sql.ts";
import { deleteLetters, markFailed, markSent, oweLetters, type Owed, takeOwed } from "./bot.letters.sql.ts";
import { fitsButton } from "./bot.talk.ts";
import { failureOf } from "./bot.telegram.ts";
import { escape, texts } from "./bot.texts.ts";

const chatsMax = 500;
const eventsMax = 100;
/** As many as Telegram takes in the second until the next turn. */
const takenAtOnce = 30;
/** Chats with a message on its way: no other chat waits for its answer. */
const placesMax = 300;
const triesMax = 6;
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
  const letters = schedule({ name: "telegram letters", seconds: 1, db, log, work });
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

/** Begins to tell what is due, one letter to a chat at a time, and waits for no answer. */
async function tellDue(parts: LettersParts, flying: Map<bigint, Promise<void>>): Promise<void> {
  const { db, log } = parts;
  const at = now();
  await oweLetters(db, at, secondsAfter(at, -newsSeconds), chatsMax, eventsMax);
  const size = Math.min(takenAtOnce, placesMax - flying.size);
  const owed = await takeOwed(db, at, size, [...flying.keys()]);
  const told = await parts.describe(owed.map(eventOf));
  for (const [place, letter] of owed.entries()) {
    const telling = tell(parts, letter, told.get(BigInt(place)))
      .catch((fault: unknown) =>
        log.error({ err: fault, letter: String(letter.letterId) }, "what became of a letter is not noted"),
      )
      .finally(() => flying.delete(letter.chatId));
    flying.set(letter.chatId, telling);
  }
}

const eventOf = ({ userId, orderId, letterId }: Owed, place: number): EventRow => ({
  userId,
  id: BigInt(place),
  name: "letter",
  orderId,
  letterId,
  paymentId: null,
  status: null,
  balance: null,
});

async function tell(
  { api, db, log, publicUrl }: LettersParts,
  owed: Owed,
  told: ShopEvent | undefined,
): Promise<void> {
  if (told?.name !== "letter") return void (await markFailed(db, owed, "the letter is gone", null));
  const say = texts[owed.language];
  const again = `reorder:${told.data.activation_id}`;
  const rows = [
    fitsButton(again) ? [{ text: say("bot.letter.again"), callback_data: again }] : [],
    [{ text: say("bot.letter.read"), url: `${publicUrl}/${owed.language}/dashboard` }],
  ];
  const isUnsure = owed.failure === unsure;
  const { from: site, email } = told.data;
  const text = isUnsure ? say("bot.letter.unsure", { site, email }) : textOf(say, told.data);
  try {
    await api.sendMessage(Number(owed.chatId), text, {
      parse_mode: "HTML",
      link_preview_options: { is_disabled: true },
      reply_markup: { inline_keyboard: rows },
    });
  } catch (fault) {
    return failed({ db, log }, owed, fault);
  }
  await (isUnsure ? markFailed(db, owed, unsure, null) : markSent(db, owed, now()));
}

/** The code has a line of its own and is copied by a tap. */
function textOf(say: (typeof texts)["en"], letter: EventBody<"letter">): string {
  const { from: site, email, sender, subject, code, link, value, code_candidates: others = [] } = letter;
  const found = [
    code === undefined ? "" : `🔑 <code>${escape(code)}</code>`,
    others.length === 0 || value !== undefined
      ? ""
      : say("bot.letter.others", {
          codes: others.join(", "),
        }),
    value === undefined || value === code ? "" : `🔎 <code>${escape(value)}</code>`,
    link === undefined ? "" : `🔗 ${escape(link)}`,
  ];
  const head = [say("bot.letter", { site, email }), `${escape(sender)}\n<i>${escape(subject)}</i>`];
  return [...head, ...found.filter((line) => line !== "")].join("\n\n");
}

/** Sends again what certainly was not shown. Of what may have been, the chat is told by the next try, without the letter. */
async function failed(
  { db, log }: Pick<LettersParts, "db" | "log">,
  owed: Owed,
  fault: unknown,
): Promise<void> {
  const failure = failureOf(fault);
  if (!failure) return void (await markFailed(db, owed, "not sent", now()));
  const at = now();
  if (failure.status === blocked) {
    await markFailed(db, owed, failure.text, null);
    await attempt(db, (tx) => blockChat(tx, owed.chatId, at, secondsAfter(at, watchSeconds)));
    return;
  }
  const isOurs = failure.status >= 400 && failure.status < 500 && failure.status !== tooMany;
  const mayTry = !isOurs && owed.tries < triesMax;
  const dueAt = mayTry ? secondsAfter(at, failure.retryAfterSeconds ?? 3 ** owed.tries) : null;
  const isUnsure = !failure.isUndone || owed.failure === unsure;
  await markFailed(db, owed, isUnsure ? unsure : failure.text, dueAt);
  const about = { letter: String(owed.letterId), tries: owed.tries, failure: failure.text };
  if (isUnsure)
    log.warn(about, dueAt ? "a letter may have been told by the bot" : "a chat was not told of a letter");
  else log.warn(about, dueAt ? "a letter waits for Telegram" : "a letter was not told by the bot");
}
