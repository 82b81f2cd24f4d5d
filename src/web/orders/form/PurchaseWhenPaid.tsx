import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent } from "react";
import { api } from "../../api.ts";
import { useAccount, useBalance } from "../../dashboard/account.ts";
import { isolated, price as priceText } from "../../format.ts";
import { useAppText, useLanguage } from "../../language.tsx";
import { refusalText } from "../../refusalText.ts";
import { sameAccount } from "../../session.ts";
import { stored, type WaitingPurchase } from "../../stored.ts";
import { toast } from "../../ui/feedback/toast.ts";
import { useIsOnline } from "../../useIsOnline.ts";
import { totalOf } from "./offers.ts";
import { askAgainAt, placeOrder } from "./placeOrder.ts";
import { serverNow } from "../../ui/display/clock.ts";

/** A buyer who pays later has forgotten the order. */
const keptMilliseconds = 24 * 60 * 60 * 1000;

/** Places the order that waited for a payment, once the balance suffices. Draws nothing. */
export function PurchaseWhenPaid({ purchase }: { purchase: WaitingPurchase }) {
  const account = useAccount().data;
  const balance = Number(useBalance() ?? Number.NaN);
  const isOnline = useIsOnline();
  const isDue =
    account?.id === purchase.account && balance >= totalOf(purchase.price, purchase.keys.length) && isOnline;
  const place = usePlace();
  const act = useEffectEvent(() => {
    if (serverNow() - purchase.at > keptMilliseconds) stored.waitingPurchase.remove();
    else void place(purchase);
  });
  useEffect(() => {
    if (isDue) act();
  }, [isDue]);
  return null;
}

/** Orders under the kept keys: another tab, or a repeat after a reload, charges nothing more. */
function usePlace(): (purchase: WaitingPurchase) => Promise<void> {
  const t = useAppText();
  const language = useLanguage();
  const client = useQueryClient();
  return async ({ site, domain, subject, regex, note, price, keys }) => {
    const isSame = sameAccount();
    const asked = await api.quantity({ site });
    if ((!asked.ok && asked.value === "connection") || !isSame()) return;
    const today = asked.ok ? asked.data.data[domain]?.price : undefined;
    const words = { site, domain, price: isolated(priceText(language, totalOf(price, keys.length))) };
    if (today !== undefined && today !== price) {
      stored.waitingPurchase.remove();
      toast("info", askAgainAt(t, language, today));
      return;
    }
    const ask = { site, domain, subject, regex, note, price };
    const answers = await Promise.all(keys.map((key) => placeOrder(ask, key)));
    const refused = answers.find((answer) => !answer.ok);
    // Without an answer the same keys are tried again later.
    if (refused?.value !== "connection") stored.waitingPurchase.remove();
    void client.invalidateQueries();
    if (refused) toast("bad", t("again.error", { reason: refusalText(t, refused) }));
    else toast("good", t("order.waits.done", words));
  };
}
