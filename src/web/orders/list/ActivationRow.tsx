import { Ban, Clock, Undo2 } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { isolated, price as priceText } from "../../format.ts";
import { useAppText, useLanguage } from "../../language.tsx";
import { Moment } from "../../Moment.tsx";
import { clock } from "../../payments/paymentState.ts";
import { Badge } from "../../ui/feedback/Badge.tsx";
import { classNames } from "../../ui/layout/classNames.ts";
import { Button } from "../../ui/button/Button.tsx";
import { CopyButton } from "../../ui/button/CopyButton.tsx";
import { Countdown } from "../../ui/display/Countdown.tsx";
import { Skeleton } from "../../ui/feedback/Skeleton.tsx";
import { unlessOnControl } from "../../ui/button/unlessOnControl.ts";
import styles from "./Row.module.css";
import { RowActs } from "../acts/RowActs.tsx";
import { answerIn, type Item, isWaiting, mayAct, toneOf, webLink } from "./activations.ts";
import { CodeButton } from "../letter/CodeButton.tsx";
import { SelectBox } from "../../ui/form/SelectBox.tsx";
import type { RowActions } from "./useOrderList.ts";
import { LetterLink } from "../letter/LetterLink.tsx";
import { OrderStateButton } from "./OrderStateButton.tsx";
import { OrderLink } from "../page/OrderLink.tsx";
import { RowNote } from "../note/RowNote.tsx";
import { RowSubject } from "./RowSubject.tsx";
import { stateText } from "./stateText.ts";
import { Exact } from "../../ui/display/Exact.tsx";

interface ActivationRowProps {
  item: Item;
  isFresh: boolean;
  actions: RowActions;
}

export function ActivationRow({ item, isFresh, actions }: ActivationRowProps) {
  const t = useAppText();
  const [isWarned, setWarned] = useState(false);
  const opens = mayAct("read", item);
  const code = answerIn(item);
  const link = webLink(item.link);
  const isCanceling = item.id !== undefined && actions.canceling.has(item.id);
  return (
    <li
      className={classNames(styles.row, isFresh && styles.fresh, opens && styles.opens)}
      data-state={item.state}
      data-order={item.id}
      // By keyboard the site's name opens it.
      onClick={opens ? (event) => unlessOnControl(event, () => actions.open(item)) : undefined}
    >
      <div className={styles.what}>
        <div className={styles.line}>
          <RowBox item={item} actions={actions} />
          {opens ? (
            <button type="button" className={styles.site} onClick={() => actions.open(item)}>
              <Exact>{item.site}</Exact>
            </button>
          ) : (
            <Exact className={styles.site}>{item.site}</Exact>
          )}
          <Address item={item} />
        </div>
        <div className={styles.facts}>
          {item.at !== undefined && (
            <span className={styles.at}>
              <Moment short at={item.at} />
            </span>
          )}
          {item.id !== undefined && <OrderLink id={item.id} />}
          <RowSubject subject={item.subject} />
          {!isCanceling && <Awaited item={item} />}
        </div>
        <RowNote note={item.note} onPress={() => actions.note(item)} />
      </div>
      <div className={styles.status}>
        <State item={item} isCanceling={isCanceling} onPress={() => actions.timeline(item)} />
        <TimeLeft item={item} />
      </div>
      {code !== undefined && <CodeButton code={code} className={styles.code} />}
      {code === undefined && link !== undefined && <LetterLink link={link} className={styles.code} />}
      <Actions
        item={item}
        actions={actions}
        isCanceling={isCanceling}
        isWarned={isWarned}
        setWarned={setWarned}
      />
      {isWarned && (
        <p role="status" className={styles.warning}>
          {t("reorder.warning")}
        </p>
      )}
    </li>
  );
}

function RowBox({ item: { id, email }, actions }: Pick<ActivationRowProps, "item" | "actions">) {
  const t = useAppText();
  if (id === undefined) return null;
  return (
    <SelectBox
      label={t("select.one", { email })}
      checked={actions.selected.has(id)}
      onChange={(isSelected) => actions.select(id, isSelected)}
    />
  );
}

function Address({ item }: { item: Item }) {
  const t = useAppText();
  return (
    <div className={styles.address}>
      {item.email === "" ? (
        <Skeleton width="12rem" height="1rem" />
      ) : (
        <>
          <Exact className={styles.email}>{item.email}</Exact>
          <CopyButton
            text={item.email}
            label={t("activations.copyEmail", { email: item.email })}
            words={isWaiting(item) && "short"}
          />
        </>
      )}
    </div>
  );
}

function Awaited({ item }: { item: Item }) {
  const t = useAppText();
  if (!isWaiting(item) || item.id === undefined || item.site === "any") return null;
  return <p className={styles.awaited}>{t("activations.awaited", { site: item.site })}</p>;
}

function TimeLeft({ item }: { item: Item }) {
  const t = useAppText();
  if (item.expiresAt === undefined || !isWaiting(item)) return null;
  return (
    <span className={styles.time} title={t("activations.left")}>
      <Clock aria-hidden size={13} />
      <Countdown until={item.expiresAt * 1000}>{(seconds) => <Exact>{clock(seconds)}</Exact>}</Countdown>
    </span>
  );
}

interface StateProps {
  item: Item;
  isCanceling: boolean;
  onPress: () => void;
}

function State({ item, isCanceling, onPress }: StateProps) {
  const t = useAppText();
  const { state, email } = item;
  if (isCanceling) return <Badge>{t(isWaiting(item) ? "cancel.now" : "cancel.removingNow")}</Badge>;
  if (item.id === undefined) return <Badge tone={toneOf(state)}>{t(stateText(state))}</Badge>;
  return <OrderStateButton state={state} email={email} onPress={onPress} />;
}

interface ActionsProps {
  item: Item;
  actions: RowActions;
  isCanceling: boolean;
  isWarned: boolean;
  setWarned: (isWarned: boolean) => void;
}

function Actions({ isCanceling, ...rest }: ActionsProps) {
  const t = useAppText();
  const group = useKeptFocus(isCanceling);
  const { item, actions } = rest;
  return (
    <div
      ref={group}
      role="group"
      aria-label={t("activations.actions", { email: item.email })}
      className={styles.actions}
    >
      {isCanceling ? (
        <Button
          tone="secondary"
          size="small"
          icon={<Undo2 aria-hidden size={16} />}
          onClick={() => actions.undo(item)}
        >
          {t("cancel.undo")}
        </Button>
      ) : (
        <>
          {isWaiting(item) && <CancelButton item={item} cancel={actions.cancel} />}
          <RowActs {...rest} />
        </>
      )}
    </div>
  );
}

/** The focus of a pressed button goes to the first of those that take its place. */
function useKeptFocus(isCanceling: boolean) {
  const group = useRef<HTMLDivElement>(null);
  const before = useRef(isCanceling);
  useEffect(() => {
    if (before.current !== isCanceling && document.activeElement === document.body)
      group.current?.querySelector("button")?.focus({ preventScroll: true });
    before.current = isCanceling;
  }, [isCanceling]);
  return group;
}

/** First of the acts, where no row has "remove". */
function CancelButton({ item, cancel }: { item: Item; cancel: RowActions["cancel"] }) {
  const t = useAppText();
  const language = useLanguage();
  const words =
    item.price === undefined
      ? t("cancel.do")
      : t("cancel.doPrice", { price: isolated(priceText(language, item.price)) });
  return (
    <button
      type="button"
      className={styles.cancel}
      disabled={!mayAct("cancel", item)}
      onClick={() => cancel(item)}
    >
      <Ban aria-hidden size={16} />
      <span>{words}</span>
    </button>
  );
}
