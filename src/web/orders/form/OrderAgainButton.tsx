import { MailPlus } from "lucide-react";
import { useState } from "react";
import { isolated, price as priceText } from "../../format.ts";
import { useAppText, useLanguage } from "../../language.tsx";
import { RowAct } from "../acts/RowAct.tsx";
import { refusalText } from "../../refusalText.ts";
import { toast } from "../../ui/feedback/toast.ts";
import { domainOf } from "./mailType.ts";
import { askAgainAt, risenPrice } from "./placeOrder.ts";
import type { OrderList } from "../list/useOrderList.ts";
import type { Refused } from "../../api.ts";
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
    if (outcome === "ordered")
      return toast("good", t("again.done", { site, domain, price: isolated(amount) }));
    if ("price" in outcome) {
      setPrice(outcome.price);
      return toast("info", askAgainAt(t, language, outcome.price));
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

/** Ordered; or the price has risen and needs consent; or refused. */
type OrderAgainOutcome = "ordered" | { price: number } | { refused: Refused<string> };

async function orderAgain(order: OrderList["order"], again: OrderAgain): Promise<OrderAgainOutcome> {
  const [refused] = await order({ ...again, subject: "", regex: "" }, 1);
  if (refused === undefined) return "ordered";
  const price = risenPrice(refused);
  return price === undefined ? { refused } : { price };
}
