import { type FormEvent, type ReactNode, useState } from "react";
import type { Refused } from "../../api.ts";
import { useAppText, useLanguage } from "../../language.tsx";
import { refusalText } from "../../refusalText.ts";
import { Button } from "../../ui/button/Button.tsx";
import { Dialog } from "../../ui/dialog/Dialog.tsx";
import { Disclosure } from "../../ui/layout/Disclosure.tsx";
import { Notice } from "../../ui/feedback/Notice.tsx";
import type { Item } from "../list/activations.ts";
import type { OrderList } from "../list/useOrderList.ts";
import { NoteField } from "../note/NoteField.tsx";
import { RegexField, SubjectField } from "./LetterFilter.tsx";
import { askAgainAt, risenPrice } from "./placeOrder.ts";
import styles from "./ReorderDialog.module.css";
import { Exact } from "../../ui/display/Exact.tsx";
import { useBusy } from "../../useBusy.ts";

interface ReorderDialogProps {
  item: Item;
  orders: OrderList;
  onClose: () => void;
  onTopUp: (missingDollars: number) => void;
}

/** Reorders the address with a subject word or a pattern (spec B §2 "Modals"). */
export function ReorderDialog({ item, orders, onClose, onTopUp }: ReorderDialogProps) {
  const t = useAppText();
  const whyNot = useReason();
  const [subject, setSubject] = useState("");
  const [regex, setRegex] = useState("");
  const [note, setNote] = useState(item.note ?? "");
  const [isWarned, setWarned] = useState(false);
  const [isBusy, whileBusy] = useBusy();
  const [refused, setRefused] = useState<Refused<string>>();
  const [price, setPrice] = useState(item.price);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (item.id === undefined || isBusy) return;
    if (subject === "" && !isWarned) return setWarned(true);
    const again = { ...item, id: item.id, price, note };
    const no = await whileBusy(() => orders.reorder(again, subject, regex));
    setRefused(no);
    if (!no) return onClose();
    setPrice(risenPrice(no) ?? price);
  };
  const topUp = () => {
    onClose();
    onTopUp(Number(refused?.more.missing ?? item.price ?? 0));
  };
  return (
    <Dialog title={t("reorder.title")} onClose={onClose}>
      <form noValidate onSubmit={(event) => void submit(event)} className={styles.form}>
        <Facts item={item} />
        <SubjectField
          isFirst
          value={subject}
          onChange={(word) => {
            setSubject(word);
            setWarned(false);
          }}
        />
        <Options>
          <RegexField value={regex} onChange={setRegex} />
          <NoteField value={note} onChange={setNote} />
        </Options>
        {isWarned && !refused && <Notice tone="warn">{t("reorder.warning")}</Notice>}
        {refused && (
          <Notice tone="bad" action={refused.value === "no balance" && <TopUpButton topUp={topUp} />}>
            {whyNot(refused)}
          </Notice>
        )}
        <Button type="submit" wide size="large" busy={isBusy}>
          {t(isWarned ? "reorder.confirm" : "reorder.do")}
        </Button>
      </form>
    </Dialog>
  );
}

/** A price that has risen needs another press. */
function useReason(): (refused: Refused<string>) => string {
  const t = useAppText();
  const language = useLanguage();
  return (refused) => {
    const today = risenPrice(refused);
    return today === undefined
      ? t("reorder.error", { reason: refusalText(t, refused) })
      : askAgainAt(t, language, today);
  };
}

function TopUpButton({ topUp }: { topUp: () => void }) {
  const t = useAppText();
  return (
    <Button size="small" className={styles.topUp} onClick={topUp}>
      {t("topup.open")}
    </Button>
  );
}

function Options({ children }: { children: ReactNode }) {
  const t = useAppText();
  const [isOpen, setOpen] = useState(false);
  return (
    <Disclosure title={t("order.options")} open={isOpen} onToggle={setOpen}>
      {children}
    </Disclosure>
  );
}

function Facts({ item }: { item: Item }) {
  const t = useAppText();
  return (
    <dl className={styles.facts}>
      <dt>{t("reorder.id")}</dt>
      <dd>
        <Exact>{item.id ?? ""}</Exact>
      </dd>
      <dt>{t("reorder.site")}</dt>
      <dd>
        <Exact>{item.site}</Exact>
      </dd>
      <dt>{t("reorder.email")}</dt>
      <dd>
        <Exact className={styles.email}>{item.email}</Exact>
      </dd>
    </dl>
  );
}
