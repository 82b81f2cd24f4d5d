import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useSyncExternalStore } from "react";
import { useAppText } from "../../language.tsx";
import { refusalText } from "../../refusalText.ts";
import { toast } from "../../ui/feedback/toast.ts";
import { type Item, isWaiting } from "../list/activations.ts";
import { type Cancel, cancelStore, type CancelWords, offerCancels, undoCancels } from "./cancels.ts";

/** The double-click time of operating systems. */
const doublePressMilliseconds = 500;

/** Cancels orders without a question: for five seconds it can be undone. */
export function useCancels(listed: readonly Item[]) {
  const { offered, sent } = useSyncExternalStore(cancelStore.subscribe, cancelStore.read, cancelStore.read);
  const canceling = useMemo(() => new Set(offered.map(({ id }) => id)), [offered]);
  const words = useWords();
  const pressedAt = useRef(-Infinity);
  useKeepingAnswered(listed, offered);
  const cancel = (items: readonly Item[]) => {
    pressedAt.current = performance.now();
    offerCancels(
      items.flatMap((item) =>
        item.id === undefined ? [] : { id: item.id, email: item.email, isWaiting: isWaiting(item) },
      ),
      words,
    );
  };
  // The second press of a double-click meets what the first has shown.
  const undo = ({ id = "" }: Item) => {
    if (performance.now() - pressedAt.current >= doublePressMilliseconds) undoCancels(new Set([id]));
  };
  return { canceling, sent, cancel, undo };
}

/** An order whose letter comes meanwhile is not canceled: its buyer has what he waited for. */
function useKeepingAnswered(listed: readonly Item[], offered: readonly Cancel[]) {
  useEffect(() => {
    const answered = new Set(listed.flatMap((item) => (isWaiting(item) ? [] : (item.id ?? []))));
    const kept = offered.filter((cancel) => cancel.isWaiting && answered.has(cancel.id));
    if (kept.length > 0) undoCancels(new Set(kept.map(({ id }) => id)));
  }, [listed, offered]);
}

function useWords(): CancelWords {
  const t = useAppText();
  const client = useQueryClient();
  return {
    offered: (cancels) =>
      t(cancels.every((one) => one.isWaiting) ? "cancel.offered" : "cancel.removing", {
        count: cancels.length,
      }),
    undo: t("cancel.undo"),
    onSend: leaveRow,
    onDone: (cancels, refused) => {
      void client.invalidateQueries();
      const refunded = cancels.filter((one) => one.isWaiting);
      const [first] = refunded;
      if (first && refunded.length === 1) toast("good", t("cancel.refunded", { email: first.email }));
      else if (first) toast("good", t("select.canceled", { count: refunded.length }));
      for (const { email } of cancels.filter((one) => !one.isWaiting))
        toast("good", t("cancel.removed", { email }));
      if (refused) toast("bad", t("cancel.error", { reason: refusalText(t, refused) }));
    },
  };
}

/** Moves the focus from a row that goes to its neighbour, or to the tab after the last one. */
function leaveRow(cancels: readonly Cancel[]) {
  const row = document.activeElement?.closest<HTMLElement>("#activations li[data-state]");
  if (!row || !cancels.some(({ id }) => id === row.dataset["order"])) return;
  const neighbour = row.nextElementSibling ?? row.previousElementSibling;
  const next = neighbour?.querySelector<HTMLElement>("button");
  (next ?? document.querySelector<HTMLElement>("#activations [role='tab'][aria-selected='true']"))?.focus();
}
