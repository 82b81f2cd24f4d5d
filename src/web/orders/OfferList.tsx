import { ChevronDown, ChevronUp, Inbox, Lock, MailSearch, RotateCw } from "lucide-react";
import type { ReactNode } from "react";
import { openAuth } from "../auth/authDialog.ts";
import type { Refused } from "../api.ts";
import { price } from "../format.ts";
import { useAppText, useLanguage } from "../language.tsx";
import { refusalText } from "../refusalText.ts";
import { Button } from "../ui/Button.tsx";
import { classes } from "../ui/classes.ts";
import { Skeleton } from "../ui/Skeleton.tsx";
import styles from "./OfferList.module.css";
import type { OrderForm } from "./orderForm.ts";
import type { Offer } from "./offers.ts";

/** So many rows fit into the 320 px of spec B §2. */
const rowsShown = 6;

interface OfferListProps {
  form: OrderForm;
  isActive: boolean | undefined;
}

/** The mail types for the chosen site: domain, what is left, price of one. */
export function OfferList({ form, isActive }: OfferListProps) {
  const t = useAppText();
  const { list, isLoading } = form.offers;
  const isLong = list.length > rowsShown;
  return (
    <fieldset className={styles.offers} aria-busy={isLoading}>
      <legend className={styles.legend}>{t("order.types")}</legend>
      <div className={classes(styles.frame, form.isExpanded && styles.expanded)}>
        <Content form={form} isActive={isActive} />
      </div>
      {isLong && (
        <Button
          tone="ghost"
          size="small"
          aria-expanded={form.isExpanded}
          icon={form.isExpanded ? <ChevronUp aria-hidden size={16} /> : <ChevronDown aria-hidden size={16} />}
          onClick={() => form.setExpanded(!form.isExpanded)}
        >
          {form.isExpanded ? t("order.types.less") : t("order.types.all", { count: list.length })}
        </Button>
      )}
    </fieldset>
  );
}

function Content({ form, isActive }: OfferListProps) {
  const t = useAppText();
  const { list, isLoading, isLoaded, refused, reload } = form.offers;
  if (isActive === false || refused?.value === "token") return <Locked />;
  if (isLoading || (isActive === undefined && form.asked !== "")) return <Bones />;
  if (refused && refused.value !== "site") {
    const again = (
      <Button tone="secondary" size="small" icon={<RotateCw aria-hidden size={15} />} onClick={reload}>
        {t("order.types.again")}
      </Button>
    );
    return (
      <Blank
        icon={<MailSearch aria-hidden size={20} />}
        text={troubleText(t, refused)}
        action={again}
        isAlert
      />
    );
  }
  if (!isLoaded || refused)
    return <Blank icon={<MailSearch aria-hidden size={20} />} text={t("order.types.ask")} />;
  if (list.length === 0) return <Blank icon={<Inbox aria-hidden size={20} />} text={t("order.types.none")} />;
  const isSoldOut = list.every((offer) => offer.count === 0);
  return (
    <>
      {isSoldOut && <Blank icon={<Inbox aria-hidden size={20} />} text={t("order.providers.none")} />}
      {list.map((offer) => (
        <Row
          key={offer.type}
          offer={offer}
          chosen={form.offer === offer}
          onChoose={() => form.setType(offer.type)}
        />
      ))}
    </>
  );
}

/** Spec B §8 "Quantity": a network failure, no sense in the answer, or what the server said. */
function troubleText(t: ReturnType<typeof useAppText>, refused: Refused<string>): string {
  if (refused.value === "connection") return t("order.types.connection");
  return refused.value === "server" ? t("order.types.failed") : refusalText(t, refused);
}

function Row({ offer, chosen, onChoose }: { offer: Offer; chosen: boolean; onChoose: () => void }) {
  const t = useAppText();
  const language = useLanguage();
  const soldOut = offer.count === 0;
  return (
    <label className={classes(styles.row, soldOut && styles.soldOut)}>
      <input
        type="radio"
        name="mail-type"
        className={styles.radio}
        checked={chosen}
        disabled={soldOut}
        onChange={onChoose}
      />
      <span className={styles.text}>
        <bdi className={styles.type}>{offer.type}</bdi>
        <span className={styles.count}>
          {soldOut ? t("order.types.soldOut") : t("order.types.left", { count: offer.count })}
        </span>
      </span>
      <bdi className={styles.price}>{price(language, offer.price)}</bdi>
    </label>
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
  return <Blank icon={<Lock aria-hidden size={20} />} text={t("order.locked")} action={activate} />;
}

interface BlankProps {
  icon: ReactNode;
  text: string;
  action?: ReactNode;
  isAlert?: boolean;
}

function Blank({ icon, text, action, isAlert }: BlankProps) {
  return (
    <div role={isAlert ? "alert" : "status"} className={styles.blank}>
      <span className={styles.icon}>{icon}</span>
      <p>{text}</p>
      {action}
    </div>
  );
}

function Bones() {
  return Array.from({ length: 4 }, (_, row) => (
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
