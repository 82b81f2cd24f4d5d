import { useCallback, useEffect, useState } from "react";
import type { AppKey } from "../../../i18n/t.ts";
import { price } from "../../format.ts";
import { openAuth } from "../../auth/authDialog.ts";
import { useAccount } from "../../dashboard/account.ts";
import { useAppText, useLanguage } from "../../language.tsx";
import { refusalText } from "../../refusalText.ts";
import { TelegramConfirm } from "../../telegram/TelegramConfirm.tsx";
import { Button } from "../../ui/button/Button.tsx";
import { Chip, Chips } from "../../ui/button/Chip.tsx";
import { Notice } from "../../ui/feedback/Notice.tsx";
import styles from "./ShortfallNotice.module.css";
import type { OrderForm, Shortfall } from "./useOrderForm.ts";
import { totalOf } from "./offers.ts";
import { Exact } from "../../ui/display/Exact.tsx";

interface ShortfallNoticeProps {
  shortfall: Shortfall;
  form: OrderForm;
  onTopUp: (missingDollars: number) => void;
}

/** What was not ordered and not charged, why, and what to do (spec B §8). */
export function ShortfallNotice({ shortfall, form, onTopUp }: ShortfallNoticeProps) {
  const t = useAppText();
  const { asked, refusals } = shortfall;
  const [first] = refusals;
  if (!first) return null;
  const failed = refusals.length;
  const title =
    failed === asked
      ? t("order.failed", { count: asked })
      : t("order.partial", { done: asked - failed, asked, count: failed });
  return (
    <Notice
      tone={failed === asked ? "bad" : "warn"}
      title={title}
      action={<ShortfallAction shortfall={shortfall} form={form} onTopUp={onTopUp} />}
    >
      <p>{refusalText(t, first)}</p>
      <p>{t(chargeText(shortfall))}</p>
    </Notice>
  );
}

/** A lost answer may have been a success: then it promises nothing. */
function chargeText({ asked, refusals }: Shortfall): AppKey {
  if (refusals.some((refused) => refused.value === "connection")) return "order.unsure";
  return refusals.length === asked ? "order.notCharged" : "order.notChargedRest";
}

function ShortfallAction({ shortfall, form, onTopUp }: ShortfallNoticeProps) {
  const t = useAppText();
  const language = useLanguage();
  const [first] = shortfall.refusals;
  if (first?.value === "no emails") {
    const others = (first.more.alternatives ?? []).filter((other) => other.count > 0);
    if (others.length === 0) return null;
    return (
      <div className={styles.out}>
        <p>{t("order.alternatives")}</p>
        <Chips label={t("order.alternatives")}>
          {others.map((other) => (
            <Chip
              key={other.domain}
              onClick={() => {
                form.setType(other.domain);
                form.forget();
              }}
            >
              <Exact>{other.domain}</Exact>{" "}
              <Exact className={styles.price}>{price(language, other.price)}</Exact>
            </Chip>
          ))}
        </Chips>
      </div>
    );
  }
  if (first?.value === "no balance") {
    const missing = missingFor(shortfall);
    return (
      <div className={styles.out}>
        <p>
          {t("order.missing")} <Exact className={styles.price}>{price(language, missing)}</Exact>
        </p>
        <Button size="small" onClick={() => onTopUp(missing)}>
          {t("topup.open")}
        </Button>
      </div>
    );
  }
  if (first?.value === "site" && first.more.did_you_mean !== undefined) {
    const meant = first.more.did_you_mean;
    return (
      <p className={styles.meant}>
        {t("order.site.meant")} <Chip onClick={() => form.choose(meant)}>{meant}</Chip>
      </p>
    );
  }
  if (first?.value === "token") {
    return (
      <Button size="small" className={styles.button} onClick={() => openAuth("activate")}>
        {t("order.locked.activate")}
      </Button>
    );
  }
  if (first?.value === "not confirmed") return <ConfirmFirst onConfirmed={form.forget} />;
  return null;
}

function ConfirmFirst({ onConfirmed }: { onConfirmed: () => void }) {
  const t = useAppText();
  const [isOpen, setOpen] = useState(true);
  const close = useCallback(() => setOpen(false), []);
  const isConfirmed = useAccount().data?.telegramConfirmed === true;
  // Once confirmed, the refusal is obsolete.
  useEffect(() => {
    if (isConfirmed) onConfirmed();
  }, [isConfirmed, onConfirmed]);
  return (
    <>
      <Button size="small" className={styles.button} onClick={() => setOpen(true)}>
        {t("telegram.title")}
      </Button>
      {isOpen && <TelegramConfirm onClose={close} />}
    </>
  );
}

/** The server tells what one order lacks; each further one lacks its whole price. */
function missingFor({ refusals, offer }: Shortfall): number {
  const first = refusals.find((refused) => refused.more.missing !== undefined);
  return Number(first?.more.missing ?? offer.price) + totalOf(offer.price, refusals.length - 1);
}
