import { MailPlus } from "lucide-react";
import { useState } from "react";
import { isolated, price as priceText } from "../../format.ts";
import { useAppText, useLanguage } from "../../language.tsx";
import { RowAct } from "../acts/RowAct.tsx";
import { refusalText } from "../../refusalText.ts";
import { sameAccount } from "../../session.ts";
import { toast } from "../../ui/feedback/toast.ts";
import { domainOf } from "./mailType.ts";
import type { OrderList } from "../list/useOrderList.ts";
import { api, type Refused } from "../../api.ts";
import { useBusy } from "../../useBusy.ts";

interface OrderAgainButtonProps {
  like: { site: string; email: string; price: number };
  order: OrderList["order"];
  onTopUp: (missingDollars: number) => void;
}

/** Orders another address for the same site and mail type; the button shows the price. */
export function OrderAgainButton({ like, order, onTopUp }: OrderAgainButtonProps) {
  const t = useAppText();
  const language = useLanguage();
  const [price, setPrice] = useState(like.price);
  const [isBusy, whileBusy] = useBusy();
  const { site } = like;
  const domain = domainOf(like.email);
  const amount = priceText(language, price);
  const buy = async () => {
    const outcome = await whileBusy(() => orderAgain(order, { site, domain, price }));
    if (outcome === "left") return undefined;
    if (outcome === "ordered")
      return toast("good", t("again.done", { site, domain, price: isolated(amount) }));
    if ("price" in outcome) {
      setPrice(outcome.price);
      return toast("info", t("again.changed", { price: isolated(priceText(language, outcome.price)) }));
    }
    const { refused } = outcome;
    toast("bad", t("again.error", { reason: refusalText(t, refused) }));
    if (refused.value === "no balance") onTopUp(Number(refused.more.missing ?? price));
  };
  return (
    <RowAct
      words={t("again.new")}
      price={amount}
      busy={isBusy}
      title={t("again.do", { domain, price: isolated(amount) })}
      icon={<MailPlus aria-hidden size={16} />}
      onClick={isBusy ? undefined : () => void buy()}
    />
  );
}

interface OrderAgain {
  site: string;
  domain: string;
  /** Dollars. */
  price: number;
}

/** Ordered; or the page shows another account by now; or the price has changed and needs consent; or refused. */
type OrderAgainOutcome = "ordered" | "left" | { price: number } | { refused: Refused<string> };

async function orderAgain(order: OrderList["order"], again: OrderAgain): Promise<OrderAgainOutcome> {
  const { site, domain, price } = again;
  const isSame = sameAccount();
  const offers = await api.quantity({ site });
  if (!isSame()) return "left";
  if (!offers.ok) return { refused: offers };
  const today = offers.data.data[domain]?.price;
  if (today !== undefined && today !== price) return { price: today };
  const [refused] = await order({ site, domain, subject: "", regex: "" }, 1);
  return refused ? { refused } : "ordered";
}
