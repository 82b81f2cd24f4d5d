import { ListFilter, Repeat2, RotateCw, X } from "lucide-react";
import { useState } from "react";
import { price as priceText } from "../../format.ts";
import { useAppText, useLanguage } from "../../language.tsx";
import { toast } from "../../ui/feedback/toast.ts";
import { useMinimumDuration } from "../../ui/feedback/useMinimumDuration.ts";
import { OrderAgainButton } from "../form/OrderAgainButton.tsx";
import { askAgainAt } from "../form/placeOrder.ts";
import { type Item, isWaiting, mayAct } from "../list/activations.ts";
import type { RowActions } from "../list/useOrderList.ts";
import { NoteAct } from "../note/NoteAct.tsx";
import { RowAct } from "./RowAct.tsx";
import styles from "./RowActs.module.css";
import { RowMenu } from "./RowMenu.tsx";

interface RowActsProps {
  item: Item;
  actions: RowActions;
  isWarned: boolean;
  setWarned: (isWarned: boolean) => void;
}

/** What can be done with an order besides reading and canceling it. */
export function RowActs({ item, actions, isWarned, setWarned }: RowActsProps) {
  const t = useAppText();
  const { site, email, price } = item;
  return (
    <RowMenu email={email}>
      {item.id !== undefined && price !== undefined && (
        <OrderAgainButton like={{ site, email, price }} order={actions.order} onTopUp={actions.onTopUp} />
      )}
      {mayAct("reorder", item) && (
        <Reorder item={item} actions={actions} isWarned={isWarned} setWarned={setWarned} />
      )}
      {item.id !== undefined && <NoteAct note={item.note} onPress={() => actions.note(item)} />}
      <CheckNow reload={actions.reload} />
      {!isWaiting(item) && (
        <RowAct
          words={t("cancel.remove")}
          icon={<X aria-hidden size={17} />}
          disabled={!mayAct("cancel", item)}
          onClick={() => actions.cancel(item)}
        />
      )}
    </RowMenu>
  );
}

function Reorder({ item, actions, isWarned, setWarned }: RowActsProps) {
  const t = useAppText();
  const language = useLanguage();
  const [dollars, setDollars] = useState(item.price);
  const price = dollars === undefined ? undefined : priceText(language, dollars);
  const reorder = async () => {
    const today = await actions.reorder({ ...item, price: dollars });
    if (today === undefined) return;
    setDollars(today);
    toast("info", askAgainAt(t, language, today));
  };
  return (
    <>
      <RowAct
        words={t(isWarned ? "reorder.confirm" : "reorder.same")}
        price={price}
        icon={<Repeat2 aria-hidden size={17} />}
        className={isWarned ? styles.warned : undefined}
        data-stays={isWarned ? undefined : ""}
        onBlur={() => setWarned(false)}
        onClick={() => {
          // Without a subject word the first press only warns (spec B §4).
          setWarned(!isWarned);
          if (isWarned) void reorder();
        }}
      />
      <RowAct
        words={t("reorder.with")}
        price={price}
        icon={<ListFilter aria-hidden size={16} />}
        onClick={() => actions.reorderWith(item)}
      />
    </>
  );
}

function CheckNow({ reload }: { reload: () => Promise<void> }) {
  const t = useAppText();
  const [isAsking, setAsking] = useState(false);
  const spins = useMinimumDuration(isAsking, 1000);
  const ask = async () => {
    setAsking(true);
    await reload();
    setAsking(false);
  };
  return (
    <RowAct
      words={t("activations.checkNow")}
      busy={spins}
      icon={<RotateCw aria-hidden size={16} />}
      onClick={() => void ask()}
    />
  );
}
