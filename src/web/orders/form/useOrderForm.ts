import { useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useLocation, useSearch } from "wouter";
import { api, type Refused } from "../../api.ts";
import { useBalance } from "../../dashboard/account.ts";
import { dataOf, refusedBy } from "../../serverState.tsx";
import { useAccountRevision } from "../../session.ts";
import { stored, useStored } from "../../stored.ts";
import { rememberType } from "./mailType.ts";
import type { OrderList } from "../list/useOrderList.ts";
import { findType, type Offer, offersOf, totalOf } from "./offers.ts";
import { cleanSite, entryOf, withoutEntry } from "./siteInput.ts";
import { rememberSubject } from "./filterPresets.ts";

const siteMilliseconds = 700;
const successMilliseconds = 2000;

/** What came of the last press of the buy button, when not all of it worked. */
export interface Shortfall {
  asked: number;
  refusals: readonly Refused<string>[];
  offer: Offer;
  site: string;
}

export type OrderForm = ReturnType<typeof useOrderForm>;

/** The order form: site, mail type, options, quantity, and the three states of its button (spec B §4). */
export function useOrderForm(orders: OrderList, isActive: boolean) {
  const [site, setSite] = useState(() => stored.selectedSite.read());
  const [isExpanded, setExpanded] = useState(false);
  // 1 at each visit (spec B §9).
  const [quantity, setQuantity] = useState(1);
  const [regex, setRegex] = useState("");
  const [subject, setSubject] = useStored(stored.subject);
  const [phase, setPhase] = usePhase();
  const { shortfall, setShortfall, forget } = useShortfall();
  const [asked, ask] = useAskedSite(site);
  const offers = useOffers(asked, isActive);
  const types = useType(asked);
  const offer = offers.list.find((one) => one.type === types.wanted(offers.list));
  /** The mail types are those of the site that is typed, and not still of the one before: that is what would be bought for. */
  const isAsked = cleanSite(site) === asked;

  const choose = (chosen: string) => {
    setSite(chosen);
    ask(cleanSite(chosen));
    forget();
  };
  useEntry((entry) => {
    if (entry.site !== "") choose(entry.site);
    types.enter(entry.type, entry.site === "" ? asked : entry.site);
    // Where it is not known yet how long the list is, it would push down what stands below it: then it scrolls instead.
    setExpanded(stored.offersHeight.read() > 0);
  });

  async function buy() {
    if (!isAsked || !offer || offer.count === 0 || phase !== "idle") return;
    setPhase("loading");
    forget();
    remember(subject, asked);
    const refusals = await orders.order({ site: asked, domain: offer.type, subject, regex }, quantity);
    setPhase(refusals.length === quantity ? "idle" : "success");
    if (refusals.length === 0) revealList();
    else setShortfall({ asked: quantity, refusals, offer, site: asked });
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
    /** The mail type that an address asked for in vain; empty when it was found, or none was asked for. */
    unmatched: isAsked ? types.missed(offers.list) : "",
    isExpanded,
    setExpanded,
    subject,
    setSubject,
    regex,
    setRegex,
    quantity,
    setQuantity,
    phase,
    buy,
    shortfall,
    forget,
  };
}

/** What came of the last press; what was not ordered for want of money is forgotten once there is enough for it. */
function useShortfall() {
  const [shortfall, setShortfall] = useState<Shortfall>();
  const forget = useCallback(() => setShortfall(undefined), []);
  const balance = Number(useBalance() ?? Number.NaN);
  const wanted =
    shortfall?.refusals[0]?.value === "no balance"
      ? totalOf(shortfall.offer.price, shortfall.refusals.length)
      : undefined;
  const lacked = useRef<Shortfall>(undefined);
  // The balance that is shown may be that of before the order: it has to be seen to lack first.
  useEffect(() => {
    if (wanted === undefined) return;
    if (balance < wanted) lacked.current = shortfall;
    else if (lacked.current === shortfall) forget();
  }, [balance, wanted, shortfall, forget]);
  return { shortfall, setShortfall, forget };
}

/** Below the width of two columns the list stands under the form: goes there. */
function revealList() {
  if (!matchMedia("(width < 64rem)").matches) return;
  const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  document.getElementById("activations")?.scrollIntoView({ behavior: isCalm ? "auto" : "smooth" });
}

function remember(subject: string, site: string) {
  stored.lastSiteInput.write(site);
  stored.customSubjects.write(rememberSubject(stored.customSubjects.read(), subject));
}

/** The site that the server is asked about: what was typed, 700 ms after the last key (spec B §5), or at once. */
function useAskedSite(site: string): [string, (site: string) => void] {
  const [asked, setAsked] = useState(() => cleanSite(site));
  // Waiting for the end of typing is a timer.
  useEffect(() => {
    const timer = setTimeout(() => setAsked(cleanSite(site)), siteMilliseconds);
    return () => clearTimeout(timer);
  }, [site]);
  // The choice outlives the page in local storage.
  useEffect(() => stored.selectedSite.write(asked), [asked]);
  return [asked, setAsked];
}

/** Which of the offers is wanted: the last choice for this site, else the one for the site before. */
function useType(asked: string) {
  const [types, setTypes] = useStored(stored.mailTypes);
  const [last, setLast] = useState("");
  // What an address asked for, until another is chosen.
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

/** The mail types for a site; locked while the account is not activated (spec B §4). */
function useOffers(site: string, isActive: boolean) {
  const revision = useAccountRevision();
  const [order] = useStored(stored.offerOrder);
  const query = useQuery({
    queryKey: ["quantity", revision, site],
    queryFn: ({ signal }) => dataOf(api.quantity({ site, stats: 1 }, { signal })),
    enabled: site !== "" && isActive,
  });
  const refused = refusedBy(query.error);
  // After a refusal nothing of an earlier answer is on sale any more (spec B §8 "clears the list").
  const data = refused?.value === "site" ? undefined : query.data?.data;
  const list = useMemo(() => (data ? offersOf(data, order) : []), [data, order]);
  return {
    list,
    /** Is anything known of how orders went? Where it is not, saying so in each row would be noise. */
    hasOutcomes: list.some((offer) => offer.outcome !== undefined),
    isLoading: query.isFetching && query.data === undefined,
    isLoaded: query.data !== undefined,
    refused,
    reload: () => void query.refetch(),
  };
}

/** Reads `from` and `to` whenever they come and takes them out of the address (spec B §2). */
function useEntry(enter: (entry: { site: string; type: string }) => void) {
  const search = useSearch();
  const [pathname, navigate] = useLocation();
  // The address bar is outside React.
  useEffect(() => {
    const entry = entryOf(search);
    if (!entry) return;
    enter(entry);
    navigate(pathname + withoutEntry(search), { replace: true });
  }, [search, pathname, navigate, enter]);
}

/** idle, loading, success, and back to idle after 2 s (spec B §4). */
function usePhase() {
  const [phase, setPhase] = useState<"idle" | "loading" | "success">("idle");
  // Going back is a timer.
  useEffect(() => {
    if (phase !== "success") return;
    const timer = setTimeout(() => setPhase("idle"), successMilliseconds);
    return () => clearTimeout(timer);
  }, [phase]);
  return [phase, setPhase] as const;
}
