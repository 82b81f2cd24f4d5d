import { ChevronDown, ChevronUp, Inbox, Lock, MailSearch } from "lucide-react";
import { type CSSProperties, type ReactNode, useLayoutEffect, useRef, useState } from "react";
import { openAuth } from "../../auth/authDialog.ts";
import type { Refused } from "../../api.ts";
import { price, spanText } from "../../format.ts";
import { useAppText, useLanguage } from "../../language.tsx";
import { useIsOnline } from "../../useIsOnline.ts";
import { refusalText } from "../../refusalText.ts";
import { stored, useStored } from "../../stored.ts";
import { RetryButton } from "../../RefusalNotice.tsx";
import { Button } from "../../ui/button/Button.tsx";
import { classNames } from "../../ui/layout/classNames.ts";
import { Chip } from "../../ui/button/Chip.tsx";
import { Select } from "../../ui/form/Select.tsx";
import { Skeleton } from "../../ui/feedback/Skeleton.tsx";
import styles from "./OfferList.module.css";
import type { OrderForm } from "./useOrderForm.ts";
import { type Offer, type OfferOutcome, percentOf } from "./offers.ts";
import { Exact } from "../../ui/display/Exact.tsx";

export const siteRefusedId = "site-refused";

/** So many rows fit into the 320 px of spec B §2. */
const rowsShown = 8;
const outcomesShown = 5;
const heightMax = 320;
const skeletonRows = 8;

interface OfferListProps {
  form: OrderForm;
  isActive: boolean | undefined;
  /** Asks for one that is sold out, once it is back. */
  onWait: (offer: Offer) => void;
}

export function OfferList({ form, isActive, onWait }: OfferListProps) {
  const t = useAppText();
  const { list, isLoading, hasOutcomes } = form.offers;
  const isLong = list.length > (hasOutcomes ? outcomesShown : rowsShown);
  const isIdle = form.asked === "" && !isLoading;
  const { rows, heights } = useReservedHeight(list);
  return (
    <div role="group" aria-labelledby="types-title" aria-busy={isLoading} className={styles.offers}>
      <div className={styles.head}>
        <h3 id="types-title" className={styles.title}>
          {t("order.types")}
        </h3>
        {hasOutcomes && <Sorting />}
      </div>
      <div
        className={classNames(styles.frame, isIdle && styles.idle, form.isExpanded && styles.expanded)}
        style={heights}
      >
        <div className={styles.scroll}>
          <div ref={rows}>
            <Content form={form} isActive={isActive} onWait={onWait} />
            {hasOutcomes && <p className={styles.note}>{t("order.types.outcome")}</p>}
          </div>
        </div>
        {list.length > 1 && (
          <Button
            tone="ghost"
            size="small"
            wide
            className={classNames(styles.more, !isLong && styles.fold)}
            aria-expanded={form.isExpanded}
            icon={
              form.isExpanded ? <ChevronUp aria-hidden size={16} /> : <ChevronDown aria-hidden size={16} />
            }
            onClick={() => form.setExpanded(!form.isExpanded)}
          >
            {form.isExpanded ? t("order.types.less") : t("order.types.all", { count: list.length })}
          </Button>
        )}
      </div>
    </div>
  );
}

/** Reserves the height of the last list, so that arriving rows move nothing below them. */
function useReservedHeight(list: readonly Offer[]) {
  const rows = useRef<HTMLDivElement>(null);
  const [atFirst] = useState(() => stored.offersHeight.read() || heightMax);
  const [needed, setNeeded] = useState(atFirst);
  const isNew = useRef(true);
  useLayoutEffect(() => {
    const scroller = rows.current?.parentElement;
    if (list.length === 0 || !rows.current || !scroller?.parentElement) {
      isNew.current = true;
      return;
    }
    if (isNew.current) showChosen(scroller);
    isNew.current = false;
    const around = scroller.parentElement.offsetHeight - scroller.offsetHeight;
    const height = rows.current.offsetHeight + around;
    stored.offersHeight.write(height);
    setNeeded((known) => Math.max(known, height));
  }, [list]);
  const heights = { "--room": `${atFirst}px`, "--room-open": `${needed}px` } as CSSProperties;
  return { rows, heights };
}

function showChosen(scroller: HTMLElement) {
  const chosen = scroller.querySelector("label:has(:checked)");
  if (!chosen) return;
  const hidden = chosen.getBoundingClientRect().bottom - scroller.getBoundingClientRect().bottom;
  scroller.scrollTop += Math.max(0, hidden);
}

function Sorting() {
  const t = useAppText();
  const [order, setOrder] = useStored(stored.offerOrder);
  return (
    <Select
      aria-label={t("order.types.sort")}
      className={styles.sort}
      value={order}
      onChange={(event) => setOrder(event.target.value === "letter" ? "letter" : "price")}
      choices={[
        { value: "price", label: t("order.types.byPrice") },
        { value: "letter", label: t("order.types.byLetter") },
      ]}
    />
  );
}

function Content({ form, isActive, onWait }: OfferListProps) {
  const t = useAppText();
  const isOnline = useIsOnline();
  const { list, isLoading, isLoaded, hasOutcomes, refused, reload } = form.offers;
  if (isActive === false || refused?.value === "token") return <Locked />;
  if (isLoading || (isActive === undefined && form.asked !== "")) return <LoadingSkeleton />;
  if (refused?.value === "site") return <NoSite form={form} refused={refused} />;
  if (refused) {
    const isCut = refused.value === "connection" && !isOnline;
    return (
      <EmptyOffers
        icon={<MailSearch aria-hidden size={20} />}
        text={isCut ? t("trouble.offline") : troubleText(t, refused)}
        action={<RetryButton onRetry={reload} />}
        isAlert
      />
    );
  }
  if (!isLoaded)
    return <EmptyOffers icon={<MailSearch aria-hidden size={20} />} text={t("order.types.ask")} />;
  if (list.length === 0)
    return <EmptyOffers icon={<Inbox aria-hidden size={20} />} text={t("order.types.none")} />;
  const isSoldOut = list.every((offer) => offer.count === 0);
  return (
    <>
      {isSoldOut && <EmptyOffers icon={<Inbox aria-hidden size={20} />} text={t("order.providers.none")} />}
      {list.map((offer) => (
        <Row
          key={offer.type}
          offer={offer}
          hasOutcomes={hasOutcomes}
          chosen={form.offer === offer}
          onChoose={() => form.setType(offer.type)}
          onWait={() => onWait(offer)}
        />
      ))}
    </>
  );
}

/** Spec B §8 "Quantity": no connection, an answer of another shape, or the refusal. */
function troubleText(t: ReturnType<typeof useAppText>, refused: Refused<string>): string {
  if (refused.value === "connection") return t("order.types.connection");
  return refused.value === "server" ? t("order.types.failed") : refusalText(t, refused);
}

interface RowProps {
  offer: Offer;
  hasOutcomes: boolean;
  chosen: boolean;
  onChoose: () => void;
  onWait: () => void;
}

function Row({ offer, hasOutcomes, chosen, onChoose, onWait }: RowProps) {
  const t = useAppText();
  const language = useLanguage();
  const soldOut = offer.count === 0;
  return (
    <label className={classNames(styles.row, soldOut && styles.soldOut)}>
      <input
        type="radio"
        name="mail-type"
        className={styles.radio}
        checked={chosen}
        disabled={soldOut}
        onChange={onChoose}
      />
      <span className={styles.text}>
        <Exact className={styles.type}>{offer.type}</Exact>
        {!soldOut && <span className={styles.count}>{t("order.types.left", { count: offer.count })}</span>}
        <Exact className={styles.price}>{price(language, offer.price)}</Exact>
        {soldOut && (
          <span className={classNames(styles.line, styles.wait)}>
            <span className={styles.count}>{t("order.types.soldOut")}</span>
            <Button tone="secondary" size="small" onClick={onWait}>
              {t("backorder.do")}
            </Button>
          </span>
        )}
        {hasOutcomes && <OutcomeLine outcome={offer.outcome} />}
      </span>
    </label>
  );
}

function OutcomeLine({ outcome }: { outcome: OfferOutcome | undefined }) {
  const t = useAppText();
  const language = useLanguage();
  if (!outcome) return <span className={classNames(styles.line, styles.count)}>{t("order.types.few")}</span>;
  const { share, seconds, letterPrice } = outcome;
  const good = t("order.types.share", { percent: percentOf(share) });
  return (
    <span className={classNames(styles.line, styles.count)}>
      <span>{seconds === undefined ? good : `${good} · ${spanText(language, seconds)}`}</span>
      {letterPrice !== undefined && (
        <span>
          {t("order.types.perLetter")} <Exact className={styles.number}>{price(language, letterPrice)}</Exact>
        </span>
      )}
    </span>
  );
}

/** An unknown site (spec B §8 "Quantity"), with the server's suggestion. */
function NoSite({ form, refused }: { form: OrderForm; refused: Refused<string> }) {
  const t = useAppText();
  const meant = refused.more.did_you_mean;
  const chip = meant !== undefined && (
    <p className={styles.meant}>
      {t("order.site.meant")} <Chip onClick={() => form.choose(meant)}>{meant}</Chip>
    </p>
  );
  return (
    <EmptyOffers
      id={siteRefusedId}
      icon={<MailSearch aria-hidden size={20} />}
      text={refusalText(t, refused)}
      action={chip}
      isAlert
    />
  );
}

/** Mail types are locked until the account is activated (spec B §4). */
function Locked() {
  const t = useAppText();
  const activate = (
    <Button size="small" onClick={() => openAuth("activate")}>
      {t("order.locked.activate")}
    </Button>
  );
  return <EmptyOffers icon={<Lock aria-hidden size={20} />} text={t("order.locked")} action={activate} />;
}

interface EmptyOffersProps {
  id?: string;
  icon: ReactNode;
  text: string;
  action?: ReactNode;
  isAlert?: boolean;
}

function EmptyOffers({ id, icon, text, action, isAlert }: EmptyOffersProps) {
  return (
    <div id={id} role={isAlert ? "alert" : "status"} className={styles.blank}>
      <span className={styles.icon}>{icon}</span>
      <p>{text}</p>
      {action}
    </div>
  );
}

function LoadingSkeleton() {
  return Array.from({ length: skeletonRows }, (_, row) => (
    <div key={row} aria-hidden className={styles.row}>
      <Skeleton width="1.125rem" height="1.125rem" round />
      <span className={styles.text}>
        <Skeleton width="8rem" height="1rem" />
        <Skeleton width="5rem" height="0.75rem" />
      </span>
      <Skeleton width="3.5rem" height="1rem" />
    </div>
  ));
}
