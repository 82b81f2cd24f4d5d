import { useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useLocation, useSearch } from "wouter";
import { newKey } from "../../../client/key.ts";
import { api } from "../../api.ts";
import { useBalance } from "../../dashboard/account.ts";
import { dataOf, refusedBy } from "../../serverState.tsx";
import { useAccountRevision } from "../../session.ts";
import { stored, useStored, type WaitingPurchase } from "../../stored.ts";
import type { Unplaced } from "./placeOrder.ts";
import { rememberType } from "./mailType.ts";
import type { OrderList } from "../list/useOrderList.ts";
import { findType, lackOf, type Offer, offersOf, totalOf } from "./offers.ts";
import { cleanSite, entryOf, withoutEntry } from "./siteInput.ts";
import { rememberSubject } from "./filterPresets.ts";
import { serverNow } from "../../ui/display/clock.ts";

const siteMilliseconds = 700;
const successMilliseconds = 2000;

export interface Shortfall {
  asked: number;
  refusals: readonly Unplaced[];
  offer: Offer;
  site: string;
}

export type OrderForm = ReturnType<typeof useOrderForm>;

/** The state of the order form: site, mail type, options, quantity, and the button's three states (spec B §4). */
export function useOrderForm(orders: OrderList, isActive: boolean) {
  const [site, setSite] = useState(() => stored.selectedSite.read());
  const [isExpanded, setExpanded] = useState(false);
  const wishes = useWishes();
  const { subject, regex, note, quantity } = wishes;
  const [phase, setPhase] = usePhase();
  const [asked, ask] = useAskedSite(site);
  const offers = useOffers(asked, isActive);
  const types = useType(asked);
  const offer = offers.list.find((one) => one.type === types.wanted(offers.list));
  const order = [site, offer?.type, quantity, subject, regex, note].join("\n");
  const { shortfall, setShortfall, forget } = useShortfall(order);
  const isAsked = cleanSite(site) === asked;
  const choose = (chosen: string) => {
    setSite(chosen);
    ask(cleanSite(chosen));
  };
  useEntry((entry) => {
    if (entry.site !== "") choose(entry.site);
    types.enter(entry.type, entry.site === "" ? asked : entry.site);
    // Without a known height the list scrolls, or it would push down what is below.
    setExpanded(stored.offersHeight.read() > 0);
  });

  const canBuy = isAsked && offer !== undefined && offer.count > 0;
  async function buy() {
    if (!canBuy || phase !== "idle") return;
    setPhase("loading");
    forget();
    remember(subject, asked);
    const ask = { site: asked, domain: offer.type, subject, regex, note, price: offer.price };
    const refusals = await orders.order(ask, quantity, shortfall?.refusals);
    setPhase(refusals.length === quantity ? "idle" : "success");
    if (refusals.length > 0) return setShortfall({ asked: quantity, refusals, offer, site: asked });
    wishes.setNote(""); // The next order is for something else.
    revealList();
  }

  return {
    site,
    setSite,
    choose,
    asked,
    isAsked,
    offers,
    offer,
    setType: types.choose,
    unmatched: isAsked ? types.missed(offers.list) : "",
    isExpanded,
    setExpanded,
    ...wishes,
    canBuy,
    ...usePrice(offer, quantity),
    phase,
    buy,
    shortfall,
    forget,
  };
}

function useWishes() {
  // 1 at each visit (spec B §9).
  const [quantity, setQuantity] = useState(1);
  const [regex, setRegex] = useState("");
  const [note, setNote] = useState("");
  const [subject, setSubject] = useStored(stored.subject);
  return { subject, setSubject, regex, setRegex, note, setNote, quantity, setQuantity };
}

/** The total of an order, and what the balance lacks for it, in dollars. */
function usePrice(offer: Offer | undefined, quantity: number) {
  const balance = useBalance();
  const total = offer && totalOf(offer.price, quantity);
  return {
    total,
    missing: total === undefined || balance === undefined ? 0 : lackOf(total, Number(balance)),
  };
}

/** The order of the form for later, once it is paid. */
export function waitingPurchase(
  { asked, offer, subject, regex, note, quantity }: OrderForm,
  account: string,
): WaitingPurchase | undefined {
  const keys = Array.from({ length: quantity }, newKey);
  return (
    offer && {
      account,
      site: asked,
      domain: offer.type,
      subject,
      regex,
      note,
      price: offer.price,
      keys,
      at: serverNow(),
    }
  );
}

/** The shortfall of the last order while the form still holds that order; one for lack of money goes when the balance suffices. */
function useShortfall(order: string) {
  const [last, setLast] = useState<{ order: string; shortfall: Shortfall }>();
  const shortfall = last?.order === order ? last.shortfall : undefined;
  const forget = useCallback(() => setLast(undefined), []);
  const balance = Number(useBalance() ?? Number.NaN);
  const wanted =
    shortfall?.refusals[0]?.value === "no balance"
      ? totalOf(shortfall.offer.price, shortfall.refusals.length)
      : undefined;
  const lacked = useRef<Shortfall>(undefined);
  // The balance may still be the old one: it must be seen too low first.
  useEffect(() => {
    if (wanted === undefined) return;
    if (balance < wanted) lacked.current = shortfall;
    else if (lacked.current === shortfall) forget();
  }, [balance, wanted, shortfall, forget]);
  const setShortfall = (missed: Shortfall) => setLast({ order, shortfall: missed });
  return { shortfall, setShortfall, forget };
}

/** On a narrow window the list is below the form: shows the new order if it is out of sight. */
function revealList() {
  const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  document
    .querySelector("#activations li[data-state]")
    ?.scrollIntoView({ block: "nearest", behavior: isCalm ? "auto" : "smooth" });
}

function remember(subject: string, site: string) {
  stored.lastSiteInput.write(site);
  stored.customSubjects.write(rememberSubject(stored.customSubjects.read(), subject));
}

/** The site to ask the server about: 700 ms after the last key (spec B §5), or at once. */
function useAskedSite(site: string): [string, (site: string) => void] {
  const [asked, setAsked] = useState(() => cleanSite(site));
  useEffect(() => {
    const timer = setTimeout(() => setAsked(cleanSite(site)), siteMilliseconds);
    return () => clearTimeout(timer);
  }, [site]);
  useEffect(() => stored.selectedSite.write(asked), [asked]);
  return [asked, setAsked];
}

function useType(asked: string) {
  const [types, setTypes] = useStored(stored.mailTypes);
  const [last, setLast] = useState("");
  const [entered, setEntered] = useState("");
  const keep = (chosen: string, site: string) => {
    setLast(chosen);
    if (chosen !== "" && site !== "") setTypes(rememberType(types, site, chosen));
  };
  return {
    wanted: (list: readonly Offer[]) => findType(list, types[asked] ?? "") ?? findType(list, last),
    choose: (chosen: string) => {
      setEntered("");
      keep(chosen, asked);
    },
    enter: (type: string, site: string) => {
      setEntered(type);
      keep(type, site);
    },
    missed: (list: readonly Offer[]) =>
      list.length > 0 && findType(list, entered) === undefined ? entered : "",
  };
}

/** The mail types of a site; locked until the account is activated (spec B §4). */
function useOffers(site: string, isActive: boolean) {
  const revision = useAccountRevision();
  const [order] = useStored(stored.offerOrder);
  const query = useQuery({
    queryKey: ["quantity", revision, site],
    queryFn: ({ signal }) => dataOf(api.quantity({ site, stats: 1 }, { signal })),
    enabled: site !== "" && isActive,
  });
  const refused = refusedBy(query.error);
  // A refusal clears the list (spec B §8 "clears the list").
  const data = refused?.value === "site" ? undefined : query.data?.data;
  const list = useMemo(() => (data ? offersOf(data, order) : []), [data, order]);
  return {
    list,
    hasOutcomes: list.some((offer) => offer.outcome !== undefined),
    isLoading: query.isFetching && query.data === undefined,
    isLoaded: query.data !== undefined,
    refused,
    reload: () => void query.refetch(),
  };
}

/** Applies `from` and `to`, then removes them from the address (spec B §2). */
function useEntry(enter: (entry: { site: string; type: string }) => void) {
  const search = useSearch();
  const [pathname, navigate] = useLocation();
  useEffect(() => {
    const entry = entryOf(search);
    if (!entry) return;
    enter(entry);
    navigate(pathname + withoutEntry(search), { replace: true });
  }, [search, pathname, navigate, enter]);
}

/** idle, loading, success, and idle again after 2 s (spec B §4). */
function usePhase() {
  const [phase, setPhase] = useState<"idle" | "loading" | "success">("idle");
  useEffect(() => {
    if (phase !== "success") return;
    const timer = setTimeout(() => setPhase("idle"), successMilliseconds);
    return () => clearTimeout(timer);
  }, [phase]);
  return [phase, setPhase] as const;
}
