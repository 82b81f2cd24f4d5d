import { Inbox, Keyboard, Plus, RotateCw } from "lucide-react";
import { Suspense, useState } from "react";
import { useAppText } from "../../language.tsx";
import { RefusalNotice } from "../../RefusalNotice.tsx";
import { lazyPart } from "../../lazyPart.tsx";
import { useMinimumDuration } from "../../ui/feedback/useMinimumDuration.ts";
import { Button } from "../../ui/button/Button.tsx";
import { classNames } from "../../ui/layout/classNames.ts";
import { EmptyState } from "../../ui/feedback/EmptyState.tsx";
import { IconButton } from "../../ui/button/IconButton.tsx";
import { Pagination } from "../../ui/display/Pagination.tsx";
import { SelectBox } from "../../ui/form/SelectBox.tsx";
import { Spinner } from "../../ui/feedback/Spinner.tsx";
import styles from "./Activations.module.css";
import { ActivationRow } from "./ActivationRow.tsx";
import { isWaiting, longList } from "./activations.ts";
import type { OrderList, RowActions } from "./useOrderList.ts";
import { AlertOffer } from "../alerts/AlertOffer.tsx";
import { AlertSettings } from "../alerts/AlertSettings.tsx";
import { isNarrowed } from "./listQuery.ts";
import { CutNote, NothingFound } from "./Found.tsx";
import { FindButton, ListTools, useListTools } from "./ListTools.tsx";
import { RowSkeletons } from "./RowSkeletons.tsx";
import { focusSite } from "./useShortcuts.ts";

const spinnerMilliseconds = 1000;
const activationStates = ["pending", "received"] as const;

const SelectionBar = lazyPart(async () => (await import("./SelectionBar.tsx")).SelectionBar);

interface ActivationsProps {
  orders: OrderList;
  fresh: ReadonlySet<string>;
  actions: RowActions;
  onShortcuts: () => void;
}

/** The open activations, newest first (spec B §2). */
export function Activations({ orders, fresh, actions, onShortcuts }: ActivationsProps) {
  const tools = useListTools({
    isLoading: orders.isLoading,
    count: orders.items.length,
    pages: orders.pages,
  });
  return (
    <>
      {tools.isShown && <ListTools states={activationStates} isAsked={tools.isAsked} found={orders.found} />}
      {(tools.isShown || !orders.isLoading || orders.refused) && (
        <ListToolbar orders={orders} tools={tools} onShortcuts={onShortcuts} />
      )}
      {orders.selected.size > 0 && (
        <Suspense>
          <SelectionBar
            items={orders.items.filter(({ id = "" }) => orders.selected.has(id))}
            canceling={orders.canceling}
            cancel={orders.cancel}
            onClear={() => orders.selectAll(false)}
          />
        </Suspense>
      )}
      {orders.refused && (
        <RefusalNotice inset refused={orders.refused} onRetry={() => void orders.reload()} />
      )}
      <List orders={orders} fresh={fresh} actions={actions} />
      <AlertOffer isWaiting={orders.items.some((item) => item.id !== undefined && isWaiting(item))} />
      {orders.isCut && <CutNote />}
      <Pagination page={orders.page} pages={orders.pages} onPage={orders.setPage} />
    </>
  );
}

type ListToolbarProps = Pick<ActivationsProps, "orders" | "onShortcuts"> & {
  tools: ReturnType<typeof useListTools>;
};

function ListToolbar({ orders, tools, onShortcuts }: ListToolbarProps) {
  const t = useAppText();
  const [isAsking, setAsking] = useState(false);
  const spins = useMinimumDuration(isAsking, spinnerMilliseconds);
  const { waiting } = orders;
  // Of the whole account: beside a part of its orders it would seem to be of that part.
  const isShown = waiting > 0 && !isNarrowed(orders.query);
  const reload = async () => {
    setAsking(true);
    await orders.reload();
    setAsking(false);
  };
  return (
    <div className={styles.bar}>
      <p className={styles.live}>
        {orders.items.length > 0 && (tools.isShown || orders.selected.size > 0) && (
          <SelectBox label={t("select.all")} checked={orders.selected.size > 0} onChange={orders.selectAll} />
        )}
        {isShown && <span aria-hidden className={styles.pulse} />}
        <span>
          {isShown
            ? t("activations.waiting", { count: waiting })
            : waiting === 0 && t(orders.isLoading ? "activations.loading" : "activations.idle")}
        </span>
      </p>
      <div className={styles.tools}>
        <FindButton tools={tools} />
        <IconButton
          label={t("shortcuts.title")}
          className={styles.keys}
          icon={<Keyboard aria-hidden size={18} />}
          onClick={onShortcuts}
        />
        <AlertSettings />
        <IconButton
          label={t("activations.refresh")}
          icon={spins ? <Spinner size={17} /> : <RotateCw aria-hidden size={17} />}
          aria-busy={spins}
          onClick={() => void reload()}
        />
      </div>
    </div>
  );
}

function List({ orders, fresh, actions }: Pick<ActivationsProps, "orders" | "fresh" | "actions">) {
  const t = useAppText();
  if (orders.isLoading && !orders.refused) return <RowSkeletons label={t("activations.loading")} />;
  if (orders.isLoading) return null;
  if (orders.items.length === 0 && isNarrowed(orders.query)) return <NothingFound />;
  if (orders.items.length === 0) {
    const begin = (
      <Button tone="secondary" size="small" icon={<Plus aria-hidden size={16} />} onClick={focusSite}>
        {t("order.title")}
      </Button>
    );
    return (
      <EmptyState icon={<Inbox aria-hidden size={22} />} title={t("activations.empty")} action={begin}>
        {t("activations.empty.text")}
      </EmptyState>
    );
  }
  return (
    <ul
      aria-label={t("activations.title")}
      className={classNames(styles.list, orders.items.length > longList && styles.long)}
    >
      {orders.items.map((item) => (
        <ActivationRow
          key={item.key}
          item={item}
          isFresh={item.id !== undefined && fresh.has(item.id)}
          actions={actions}
        />
      ))}
    </ul>
  );
}
