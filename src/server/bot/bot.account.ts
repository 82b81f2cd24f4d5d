import { balance, information, replaceToken } from "../../contract/users.ts";
import { isLanguage, languageCodes, languages } from "../../i18n/languages.ts";
import { now, secondsAfter } from "../platform/clock.ts";
import { attempt } from "../platform/db/db.ts";
import { setLanguage, unlinkChat, watchSeconds } from "./bot.sql.ts";
import { askFor, balanceText, type Button, type LinkedTalk, type Talk } from "./bot.talk.ts";
import { texts } from "./bot.texts.ts";

export const offered = [
  ["order"],
  ["balance", "history"],
  ["token", "language"],
  ["help", "unlink"],
] as const;

export async function showMenu({ say, answer }: Talk): Promise<void> {
  await answer(say("bot.menu"), menuRows(say));
}

export function menuRows(say: Talk["say"]): Button[][] {
  return offered.map((row) => row.map((name): Button => [say(`bot.do.${name}`), name]));
}

const toMenu = ({ say }: Talk): Button[] => [[say("bot.do.menu"), "menu"]];

export async function showBalance(talk: LinkedTalk): Promise<void> {
  const has = await askFor(talk, balance, {});
  if (!has) return;
  const topUp = { label: talk.say("bot.topup"), url: `${talk.parts.publicUrl}/dashboard` };
  await talk.answer(talk.say("bot.balance", { balance: balanceText(talk, has.balance) }), [
    [topUp],
    toMenu(talk),
  ]);
}

/** Hides the token behind a spoiler. */
export async function showToken(talk: LinkedTalk): Promise<void> {
  const about = await askFor(talk, information, {});
  if (about) await tellToken(talk, about.data.token);
}

export async function askToReplace(talk: LinkedTalk): Promise<void> {
  const { say } = talk;
  await talk.answer(say("bot.token.sure"), [
    [[say("bot.token.yes"), "replaced"]],
    [[say("bot.keep"), "menu"]],
  ]);
}

export async function changeToken(talk: LinkedTalk): Promise<void> {
  const replaced = await askFor(talk, replaceToken, {});
  if (replaced) await tellToken(talk, replaced.data.token);
}

async function tellToken(talk: LinkedTalk, token: string): Promise<void> {
  const { say } = talk;
  await talk.answer(say("bot.token.shown", { token }), [
    [[say("bot.token.replace"), "replace"]],
    toMenu(talk),
  ]);
}

export async function chooseLanguage(talk: Talk, chosen: string): Promise<void> {
  if (!isLanguage(chosen)) {
    const buttons = languageCodes.map((code): Button => [languages[code].name, `language:${code}`]);
    const rows = [buttons.slice(0, 3), buttons.slice(3)];
    return talk.answer(talk.say("bot.language.ask"), rows);
  }
  await setLanguage(talk.parts.db, talk.chat.chatId, chosen);
  await showMenu({ ...talk, say: texts[chosen] });
}

export async function showHelp(talk: Talk): Promise<void> {
  await talk.answer(talk.say("bot.help", { url: talk.parts.publicUrl }), [toMenu(talk)]);
}

export async function askToUnlink({ say, answer }: Talk): Promise<void> {
  await answer(say("bot.unlink.sure"), [[[say("bot.unlink.yes"), "unlinked"]], [[say("bot.keep"), "menu"]]]);
}

export async function unlink({ say, answer, chat, parts }: Talk): Promise<void> {
  const at = now();
  await attempt(parts.db, (tx) => unlinkChat(tx, chat, secondsAfter(at, watchSeconds)));
  await answer(say("bot.unlinked"));
}
