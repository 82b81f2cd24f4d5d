import { quantity } from "../../contract/catalog.ts";
import type { Reply } from "../../contract/endpoint.ts";
import { cancelEmail, history, orderEmail, reorderEmail } from "../../contract/orders.ts";
import { isolated, price as priceText } from "../../i18n/dollars.ts";
import { now, unixSeconds } from "../platform/clock.ts";
import { askFor, balanceText, type Button, fitsButton, type LinkedTalk } from "./bot.talk.ts";
import { escape } from "./bot.texts.ts";

/** The services of the home page (spec B §2). */
const services = ["google", "instagram", "discord", "zoom", "x", "reddit", "facebook"];
const offersMax = 20;

export async function askForSite({ say, answer }: LinkedTalk): Promise<void> {
  const buttons = services.map((name): Button => [name, `site:${name}`]);
  await answer(say("bot.order.ask"), [
    buttons.slice(0, 3),
    buttons.slice(3, 5),
    buttons.slice(5),
    [menu(say)],
  ]);
}

const menu = (say: LinkedTalk["say"]): Button => [say("bot.do.menu"), "menu"];

export async function showOffers(talk: LinkedTalk, wanted: string): Promise<void> {
  const { say } = talk;
  const found = await askFor(talk, quantity, { site: wanted });
  if (!found) return;
  const offers = Object.entries(found.data)
    .filter(([, { count }]) => count > 0)
    .toSorted(([, one], [, other]) => one.price - other.price)
    .slice(0, offersMax);
  if (offers.length === 0) return talk.answer(say("refusal.noEmails"), [[menu(say)]]);
  const rows = offers
    .map(([domain, { price, count }]): Button => {
      const left = count.toLocaleString("en-US");
      return [`${domain} · ${priceText(talk.chat.language, price)} · ${left}`, `buy:${domain} ${found.site}`];
    })
    .filter((button) => "url" in button || fitsButton(button[1]));
  const text = rows.length === 0 ? say("bot.order.page") : say("bot.order.offers", { site: found.site });
  await talk.answer(text, [...rows.map((button) => [button]), [menu(say)]]);
}

/** Buys the offer of a button. One list of offers places one order, however often it is pressed. */
export async function buy(talk: LinkedTalk, wanted: string): Promise<void> {
  const [domain = "", site = ""] = wanted.split(" ");
  const key = `telegram-${talk.chat.chatId}-${talk.messageId ?? talk.update}`;
  const ordered = await askFor(talk, orderEmail, { site, domain, client_order_id: key });
  if (ordered && "id" in ordered) await tellOrdered(talk, ordered);
}

export async function reorder(talk: LinkedTalk, id: string): Promise<void> {
  const ordered = await askFor(talk, reorderEmail, { id, client_order_id: `telegram-${talk.update}` });
  if (ordered) await tellOrdered(talk, ordered);
}

async function tellOrdered(talk: LinkedTalk, ordered: Reply<typeof reorderEmail>): Promise<void> {
  const { say } = talk;
  const minutes = Math.max(1, Math.round((ordered.expires_at - unixSeconds(now())) / 60));
  const text = say("bot.order.done", {
    email: ordered.email,
    site: ordered.site,
    price: isolated(priceText(talk.chat.language, ordered.price)),
    minutes,
    balance: balanceText(talk, ordered.balance),
  });
  const more = `site:${ordered.site}`;
  const rows: Button[][] = [[[say("bot.order.cancel"), `cancel:${ordered.id}`]]];
  if (fitsButton(more)) rows.push([[say("bot.order.more"), more]]);
  await talk.answer(text, [...rows, [menu(say)]]);
}

export async function cancel(talk: LinkedTalk, id: string): Promise<void> {
  const canceled = await askFor(talk, cancelEmail, { id });
  if (!canceled) return;
  const text = talk.say("bot.order.canceled", { balance: balanceText(talk, canceled.balance) });
  await talk.answer(text, [[menu(talk.say)]]);
}

const marks = { ok: "✅", wait: "⏳", cancel: "✖️" } as const;

export async function showHistory(talk: LinkedTalk, asked: string): Promise<void> {
  const { say } = talk;
  const page = /^[1-9]\d{0,5}$/.test(asked) ? Number(asked) : 1;
  const listed = await askFor(talk, history, { offset: String(page) });
  if (!listed) return;
  const items = Object.values(listed.data).flat();
  if (items.length === 0) return talk.answer(say("bot.history.empty"), [[menu(say)]]);
  const lines = items.map(({ from, email, status, letters }, at) => {
    const code = letters[0]?.code;
    const found = code === undefined ? "" : ` · <code>${escape(code)}</code>`;
    return `${at + 1}. ${marks[status]} ${escape(from)}\n<code>${escape(email)}</code>${found}`;
  });
  const again = items.flatMap(({ id, status }, at): Button[] =>
    status === "ok" ? [[`🔁 ${at + 1}`, `reorder:${id}`]] : [],
  );
  const ways: Button[] = [];
  if (page > 1) ways.push(["‹", `history:${page - 1}`]);
  if (listed.next_page) ways.push(["›", `history:${page + 1}`]);
  const title = say("bot.history.title", { page, pages: Math.max(listed.pages, 1) });
  const rows = [again.slice(0, 5), again.slice(5), ways, [menu(say)]].filter((row) => row.length > 0);
  await talk.answer(`<b>${title}</b>\n\n${lines.join("\n\n")}`, rows);
}
