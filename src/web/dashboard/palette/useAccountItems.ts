import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Banknote, BookOpen, Inbox, LifeBuoy, Plus, Wallet } from "lucide-react";
import { api } from "../../api.ts";
import { useAppText, useLanguage } from "../../language.tsx";
import { stateText } from "../../orders/list/stateText.ts";
import { entriesOf } from "../../orders/list/history.ts";
import { isBegun, numberAsked } from "../../palette/asked.ts";
import type { PaletteItem } from "../../palette/Palette.tsx";
import { paths } from "../../paths.ts";
import { dataOf } from "../../serverState.tsx";
import { useAccount } from "../account.ts";
import { accountPages } from "../accountPages.ts";
import { siteAsked } from "./siteAsked.ts";

const lettersMin = 2;
const shownMax = 6;

interface Picked {
  onGo: (href: string) => void;
  onText: (text: string) => void;
  onTopUp: () => void;
}

/** What a text finds: the things of a number, acts, orders, pages. */
export function useAccountItems(text: string, settled: string, picked: Picked) {
  const numbers = useNumberItems(text, picked);
  const orders = useOrderItems(numberAsked(text)?.id.length === 11 ? "" : settled.trim(), picked);
  const acts = useActItems(text, picked);
  const pages = usePageItems(text, picked);
  // The beginning of an address may look like a site: what is there comes first, unless the act is called by its words.
  const middle = acts.isCalled ? [...acts.items, ...orders.items] : [...orders.items, ...acts.items];
  return { items: [...numbers, ...middle, ...pages], isFetching: orders.isFetching };
}

/** The page of a number, without a question to the server. */
function useNumberItems(text: string, { onGo }: Picked): PaletteItem[] {
  const t = useAppText();
  const language = useLanguage();
  const { id, objects } = numberAsked(text) ?? { id: "", objects: [] };
  return objects.flatMap((object) => {
    if (object === "order")
      return [
        {
          id: "number order",
          Icon: Inbox,
          kind: t("palette.order"),
          title: `#${id}`,
          pick: () => onGo(paths.order(language, id)),
        },
      ];
    if (object === "payment")
      return [
        {
          id: "number payment",
          Icon: Banknote,
          kind: t("palette.payment"),
          title: `№${id}`,
          pick: () => onGo(paths.pay(language, id)),
        },
      ];
    return [];
  });
}

function useOrderItems(search: string, { onGo }: Picked) {
  const t = useAppText();
  const language = useLanguage();
  const isWanted = search.length >= lettersMin;
  const { data, isFetching, isPlaceholderData } = useQuery({
    queryKey: ["history", "palette", search],
    queryFn: async ({ signal }) =>
      entriesOf((await dataOf(api.history({ search, brief: 1 }, { signal }))).data),
    enabled: isWanted,
    placeholderData: keepPreviousData,
  });
  const entries = isWanted && !isPlaceholderData ? (data ?? []) : [];
  // An order with several letters has as many entries.
  const orders = entries.filter((entry, at) => entries.findIndex(({ id }) => id === entry.id) === at);
  const items = orders.slice(0, shownMax).map(({ id, site, email, state }): PaletteItem => ({
    id: `order ${id}`,
    Icon: Inbox,
    kind: t("palette.order"),
    title: email,
    note: `${site} · ${t(stateText(state))}`,
    pick: () => onGo(paths.order(language, id)),
  }));
  return { items, isFetching };
}

/** "new order zoom.us", or the site alone; the word alone asks for the site. */
function useActItems(text: string, { onGo, onText, onTopUp }: Picked) {
  const t = useAppText();
  const language = useLanguage();
  const kind = t("palette.act");
  const act = (id: string, Icon: typeof Plus, title: string, pick: () => void): PaletteItem => ({
    id: `act ${id}`,
    Icon,
    kind,
    title,
    pick,
  });
  const order = t("shortcuts.new");
  const { site, isCalled } = siteAsked(text, order);
  const items: PaletteItem[] = [];
  if (site !== "")
    items.push(
      act("order of", Plus, t("palette.orderFor", { site }), () =>
        onGo(paths.dashboard(language, { from: site, to: "" })),
      ),
    );
  else if (isCalled) items.push(act("order", Plus, `${order}…`, () => onText(`${order} `)));
  if (isBegun(t("topup.open"), text)) items.push(act("top up", Wallet, t("topup.open"), onTopUp));
  return { items, isCalled };
}

function usePageItems(text: string, { onGo }: Picked): PaletteItem[] {
  const t = useAppText();
  const language = useLanguage();
  const isInvestor = useAccount().data?.is_investor === true;
  const all = [
    ...accountPages
      .filter(({ to }) => to !== "investor" || isInvestor)
      .map(({ to, label, Icon }) => ({ to, Icon, title: t(label), href: paths[to](language) })),
    { to: "docs", Icon: BookOpen, title: t("nav.docs"), href: paths.docs(language) },
    { to: "help", Icon: LifeBuoy, title: t("nav.help"), href: paths.help(language) },
  ];
  return all
    .filter(({ title }) => text.trim() === "" || isBegun(title, text))
    .map(({ to, Icon, title, href }) => ({
      id: `page ${to}`,
      Icon,
      kind: t("palette.page"),
      title,
      pick: () => onGo(href),
    }));
}
