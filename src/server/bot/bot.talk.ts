import type { Context } from "grammy";
import type { Asking, Endpoint, Reply } from "../../contract/endpoint.ts";
import { telegramBonusDollars } from "../../contract/limits.ts";
import { balance, isolated } from "../../i18n/dollars.ts";
import { defaultLanguage, isLanguage } from "../../i18n/languages.ts";
import { type Caller, Limited, Refused } from "../platform/http/answer.ts";
import { attempt } from "../platform/db/db.ts";
import { type Chat, openChat, unblockChat } from "./bot.sql.ts";
import { type BotText, texts } from "./bot.texts.ts";
import type { BotParts } from "./bot.parts.ts";

/** What pressing it sends, or the page that it opens. */
export type Button =
  | readonly [label: string, says: string]
  | { readonly label: string; readonly url: string };

export interface Talk {
  readonly chat: Chat;
  readonly parts: BotParts;
  /** The update id: a repeated update has the same. */
  readonly update: number;
  readonly messageId: number | undefined;
  readonly say: BotText;
  /** Answers in place of the message of the pressed button, else as a new one. */
  answer(html: string, rows?: readonly (readonly Button[])[]): Promise<void>;
}

export interface LinkedTalk extends Talk {
  readonly caller: Caller;
}

const dataBytesMax = 64; // Bot API, InlineKeyboardButton.callback_data

export const fitsButton = (says: string): boolean => Buffer.byteLength(says) <= dataBytesMax;

/** Opens a talk; a new chat gets the person's Telegram language if we have it. */
export async function openTalk(ctx: Context, parts: BotParts): Promise<Talk> {
  const { from, update } = ctx;
  if (!from) throw new Error("a message of a private chat has no sender");
  const [language = ""] = (from.language_code ?? "").split("-");
  const chat = await openChat(parts.db, BigInt(from.id), isLanguage(language) ? language : defaultLanguage);
  if (chat.isBlocked) await attempt(parts.db, (tx) => unblockChat(tx, chat));
  return {
    chat,
    parts,
    update: update.update_id,
    messageId: ctx.callbackQuery?.message?.message_id,
    say: texts[chat.language],
    answer: async (html, rows = []) => {
      const shape = {
        parse_mode: "HTML",
        link_preview_options: { is_disabled: true },
        reply_markup: { inline_keyboard: rows.map((row) => row.map(keyOf)) },
      } as const;
      await (ctx.callbackQuery ? ctx.editMessageText(html, shape) : ctx.reply(html, shape));
    },
  };
}

/** Undefined without a linked, open account. */
export async function linkedTalk(talk: Talk): Promise<LinkedTalk | undefined> {
  const { userId } = talk.chat;
  const caller = userId === null ? undefined : await talk.parts.users.callerFor(userId);
  return caller && { ...talk, caller };
}

/** Calls the API for the chat's account; explains a refusal in the chat and answers undefined. */
export async function askFor<E extends Endpoint>(
  talk: LinkedTalk,
  endpoint: E,
  asked: Asking<E>,
): Promise<Reply<E> | undefined> {
  const answer = await talk.parts.ask(endpoint, asked, talk.caller);
  if (!(answer instanceof Refused) && !(answer instanceof Limited)) return answer;
  await tellNo(talk, answer);
  return undefined;
}

async function tellNo({ say, answer, parts }: Talk, no: Refused | Limited): Promise<void> {
  const back: Button[] = [[say("bot.do.menu"), "menu"]];
  if (no instanceof Limited) return answer(say("refusal.limit", { count: no.retryAfterSeconds }), [back]);
  const topUp = { label: say("bot.topup"), url: `${parts.publicUrl}/dashboard` };
  const meant = no.extras["did_you_mean"];
  switch (no.value) {
    case "no balance":
      return answer(say("refusal.noBalance"), [[topUp], back]);
    case "site":
      return typeof meant === "string" && fitsButton(`site:${meant}`)
        ? answer(say("refusal.site"), [[[meant, `site:${meant}`]], back])
        : answer(say("refusal.site"), [back]);
    case "no emails":
      return answer(say("refusal.noEmails"), [back]);
    case "domain":
      return answer(say("refusal.domain"), [back]);
    case "token":
      return answer(say("refusal.token"), [back]);
    case "not confirmed":
      return answer(say("refusal.notConfirmed"), [back]);
    case "no activation":
      return answer(say("refusal.noActivation"), [back]);
    case "activation already canceled":
      return answer(say("refusal.alreadyCanceled"), [back]);
    case "too many open":
      return answer(say("refusal.tooManyOpen"), [back]);
    case "reorder waits":
      return answer(say("refusal.reorderWaits"), [back]);
    case "email banned":
      return answer(say("refusal.banned"), [back]);
    default:
      return answer(say("bot.broken"), [back]);
  }
}

function keyOf(button: Button) {
  if ("url" in button) return { text: button.label, url: button.url };
  return { text: button[0], callback_data: button[1] };
}

export const bonusText = `$${telegramBonusDollars}`;

export const balanceText = ({ chat }: Talk, dollars: string): string =>
  isolated(balance(chat.language, dollars));
