import { Archive, Inbox } from "lucide-react";
import { Suspense, useEffect, useState } from "react";
import { ErrorBoundary } from "../../ErrorBoundary.tsx";
import { useAppText } from "../../language.tsx";
import { refusalText } from "../../refusalText.ts";
import { Card } from "../../ui/layout/Card.tsx";
import { copyText } from "../../ui/button/clipboard.ts";
import { VisuallyHidden } from "../../ui/layout/VisuallyHidden.tsx";
import { Tabs } from "../../ui/layout/Tabs.tsx";
import { toast } from "../../ui/feedback/toast.ts";
import { Activations } from "./Activations.tsx";
import { answerIn, type Item, mayAct, neighboursOf } from "./activations.ts";
import { useLetterAlerts } from "../alerts/useLetterAlerts.ts";
import { risenPrice } from "../form/placeOrder.ts";
import type { OrderList, RowActions } from "./useOrderList.ts";
import { History } from "./History.tsx";
import {
  LetterDialog,
  NoteDialog,
  preloadDialogs,
  ReorderDialog,
  ShortcutsDialog,
  TimelineDialog,
} from "../dialogs.tsx";
import type { Shortcut } from "./shortcuts.ts";
import { focusRow, focusSearch, focusSite, useShortcuts } from "./useShortcuts.ts";

interface OrderTabsProps {
  orders: OrderList;
  onTopUp: (missingDollars: number) => void;
  className?: string | undefined;
}

type OpenDialogState =
  | { what: "letter" | "timeline" | "reorder" | "note"; item: Item }
  | { what: "shortcuts" };

/** Activations and history (spec B §2 "Tabs"), their dialogs, and the letter alerts. */
export function OrderTabs({ orders, onTopUp, className }: OrderTabsProps) {
  const t = useAppText();
  const [shown, show] = useState<OpenDialogState>();
  const fresh = useLetterAlerts(orders.items, orders.tab === "activations", (item) =>
    show({ what: "letter", item }),
  );
  const actions = useRowActions(orders, onTopUp, show);
  useListShortcuts(orders, show);
  useEffect(preloadDialogs, []);
  return (
    <Card flush id="activations" aria-label={t("activations.title")} className={className}>
      <h2>
        <VisuallyHidden>{t("activations.title")}</VisuallyHidden>
      </h2>
      <Tabs
        label={t("activations.title")}
        active={orders.tab}
        onSelect={orders.setTab}
        tabs={[
          { id: "activations", label: t("tabs.activations"), icon: <Inbox aria-hidden size={17} /> },
          { id: "history", label: t("tabs.history"), icon: <Archive aria-hidden size={17} /> },
        ]}
      >
        {orders.tab === "activations" ? (
          <Activations
            orders={orders}
            fresh={fresh}
            actions={actions}
            onShortcuts={() => show({ what: "shortcuts" })}
          />
        ) : (
          <History order={orders.order} onTopUp={onTopUp} />
        )}
      </Tabs>
      {shown && (
        <ErrorBoundary over again={shown}>
          <Suspense>
            <OpenDialog shown={shown} show={show} orders={orders} onTopUp={onTopUp} />
          </Suspense>
        </ErrorBoundary>
      )}
    </Card>
  );
}

interface OpenedProps extends Pick<OrderTabsProps, "orders" | "onTopUp"> {
  shown: OpenDialogState;
  show: (shown: OpenDialogState | undefined) => void;
}

function OpenDialog({ shown, show, orders, onTopUp }: OpenedProps) {
  const close = () => show(undefined);
  if (shown.what === "shortcuts") return <ShortcutsDialog onClose={close} />;
  const { what, item } = shown;
  if (what === "timeline") return <TimelineDialog item={item} onClose={close} />;
  if (what === "note") return <NoteDialog item={item} onClose={close} />;
  if (what === "reorder")
    return <ReorderDialog item={item} orders={orders} onClose={close} onTopUp={onTopUp} />;
  const opening = neighboursOf(orders.items, item);
  return (
    <LetterDialog
      mayStay
      item={item}
      onPrevious={opening.previous && (() => show({ what: "letter", item: opening.previous ?? item }))}
      onNext={opening.next && (() => show({ what: "letter", item: opening.next ?? item }))}
      onClose={close}
      onTimeline={() => show({ what: "timeline", item })}
    />
  );
}

function useRowActions(
  orders: OrderList,
  onTopUp: OrderTabsProps["onTopUp"],
  show: (shown: OpenDialogState | undefined) => void,
): RowActions {
  const t = useAppText();
  const reorder = async (item: Item) => {
    if (item.id === undefined) return undefined;
    const { id, site, email, price, note } = item;
    const refused = await orders.reorder({ id, site, email, price, note }, "", "");
    if (!refused) return undefined;
    const today = risenPrice(refused);
    if (today !== undefined) return today;
    toast("bad", t("reorder.error", { reason: refusalText(t, refused) }));
    if (refused.value === "no balance") onTopUp(Number(refused.more.missing ?? price ?? 0));
    return undefined;
  };
  return {
    selected: orders.selected,
    select: orders.select,
    order: orders.order,
    onTopUp,
    open: (item) => show({ what: "letter", item }),
    timeline: (item) => show({ what: "timeline", item }),
    reload: orders.reload,
    reorder,
    reorderWith: (item) => show({ what: "reorder", item }),
    note: (item) => show({ what: "note", item }),
    canceling: orders.canceling,
    cancel: (item) => orders.cancel([item]),
    undo: orders.undo,
  };
}

function useListShortcuts(orders: OrderList, show: (shown: OpenDialogState | undefined) => void) {
  const t = useAppText();
  const copyNewest = async () => {
    const code = orders.items.map(answerIn).find((found) => found !== undefined);
    if (code === undefined) return toast("info", t("shortcuts.noCode"));
    await copyText(code).then(
      () => toast("good", t("shortcuts.copied", { code })),
      () => toast("bad", t("shortcuts.notCopied", { code })),
    );
  };
  const openNewest = () => {
    const item = orders.items.find((one) => mayAct("read", one));
    if (item) show({ what: "letter", item });
    else toast("info", t("shortcuts.noLetter"));
  };
  const actions: Record<Shortcut, () => void> = {
    new: focusSite,
    search: focusSearch,
    copy: () => void copyNewest(),
    open: openNewest,
    next: () => focusRow(1),
    previous: () => focusRow(-1),
    activations: () => orders.setTab("activations"),
    history: () => orders.setTab("history"),
    help: () => show({ what: "shortcuts" }),
  };
  useShortcuts((shortcut) => actions[shortcut]());
}
