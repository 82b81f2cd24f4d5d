// What the bot says of an event that nobody asked it for.
import type { EventName } from "../../contract/event-names.ts";
import type { EventBody, ShopEvent } from "../../contract/events.ts";
import { balance, isolated } from "../../i18n/dollars.ts";
import type { Language } from "../../i18n/languages.ts";
import { joined } from "../../i18n/t.ts";
import { fitsButton } from "./bot.talk.ts";
import { type BotText, escape } from "./bot.texts.ts";

/** The events that chats are told of; so are the kinds of their tasks named. */
export const chatEvents = ["letter", "balance_low", "backorder"] as const satisfies readonly EventName[];
type ChatEvent = Extract<ShopEvent, { name: (typeof chatEvents)[number] }>;

export const isForChats = (event: ShopEvent): event is ChatEvent =>
  chatEvents.some((name) => name === event.name);

interface Telling {
  readonly say: BotText;
  readonly language: Language;
  readonly publicUrl: string;
  /** A try before this one may have shown it. */
  readonly isUnsure: boolean;
}

type Row = ({ text: string; callback_data: string } | { text: string; url: string })[];

export function messageOf(event: ChatEvent, telling: Telling): { text: string; rows: Row[] } {
  const { say, language, publicUrl, isUnsure } = telling;
  const dashboard = `${publicUrl}/${language}/dashboard`;
  if (event.name === "balance_low") {
    const show = (dollars: string) => isolated(balance(language, dollars));
    const holes = { balance: show(event.data.balance), threshold: show(event.data.threshold) };
    return { text: say("bot.low", holes), rows: [[{ text: say("bot.topup"), url: dashboard }]] };
  }
  if (event.name === "backorder") return backorderMessage(event.data, say, dashboard);
  const { from: site, email, activation_id: id } = event.data;
  const again = `reorder:${id}`;
  return {
    text: isUnsure ? say("bot.letter.unsure", { site, email }) : letterText(say, event.data),
    rows: [
      fitsButton(again) ? [{ text: say("bot.letter.again"), callback_data: again }] : [],
      [{ text: say("bot.letter.read"), url: dashboard }],
    ],
  };
}

function backorderMessage(
  { from: site, state, refused, email = "", activation_id: id }: EventBody<"backorder">,
  say: BotText,
  dashboard: string,
): { text: string; rows: Row[] } {
  if (state === "placed" && id !== undefined) {
    const rows = [[{ text: say("bot.order.cancel"), callback_data: `cancel:${id}` }]];
    return { text: say("bot.backorder.placed", { site, email }), rows };
  }
  const reason = refused === undefined ? [] : [say(`backorder.why.${joined(refused)}`)];
  const text = [say(state === "ended" ? "bot.backorder.ended" : "bot.backorder.waits", { site }), ...reason];
  const rows = refused === "no balance" ? [[{ text: say("bot.topup"), url: dashboard }]] : [];
  return { text: text.join("\n\n"), rows };
}

/** The code has a line of its own and is copied by a tap. */
function letterText(say: BotText, letter: EventBody<"letter">): string {
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
