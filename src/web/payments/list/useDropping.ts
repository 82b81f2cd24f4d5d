import { useQueryClient } from "@tanstack/react-query";
import { api } from "../../api.ts";
import { isolated } from "../../format.ts";
import { useAppText } from "../../language.tsx";
import { refusalText } from "../../refusalText.ts";
import { toast, toastWithAction } from "../../ui/feedback/toast.ts";
import type { ListedPayment } from "./usePayments.ts";
import { stateOf } from "../paymentState.ts";

/** Only a payment to which nothing came can be dropped. */
export const canDrop = (payment: ListedPayment): boolean => stateOf(payment) === "pending";

/** Drops a payment, which can be undone at once and on its page. */
export function useDropping() {
  const t = useAppText();
  const client = useQueryClient();
  const change = async (id: string, undo: boolean) => {
    const answer = await api.dropPayment({ id, ...(undo && { undo: 1 }) });
    if (!answer.ok) toast("bad", refusalText(t, answer));
    for (const key of ["payments", "payment"]) void client.invalidateQueries({ queryKey: [key] });
    if (!answer.ok || undo) return;
    toastWithAction(t("pay.drop.done", { id: isolated(`№${id}`) }), {
      label: t("cancel.undo"),
      onPress: () => void change(id, true),
      onLeave: () => undefined,
    });
  };
  return { drop: (id: string) => void change(id, false), takeUp: (id: string) => void change(id, true) };
}
