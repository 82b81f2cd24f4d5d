import { BellRing } from "lucide-react";
import { useEffect, useState } from "react";
import { useAppText } from "../../language.tsx";
import { stored, useStored } from "../../stored.ts";
import { Button } from "../../ui/button/Button.tsx";
import styles from "./AlertOffer.module.css";
import { askToNotify } from "./notification.ts";
import { chime } from "./chime.ts";

/** Offers sound and notification while the first order of this browser waits; once it was answered or missed, never again. */
export function AlertOffer({ isWaiting }: { isWaiting: boolean }) {
  const t = useAppText();
  const [{ sound, notification, offered }] = useStored(stored.hints);
  const isOpen = isWaiting && !offered && !sound && !notification;
  const [wasOpen, setWasOpen] = useState(isOpen);
  if (isOpen && !wasOpen) setWasOpen(true);
  useEffect(() => {
    if (wasOpen && !isOpen) stored.hints.write({ ...stored.hints.read(), offered: true });
  }, [wasOpen, isOpen]);
  if (!isOpen) return null;
  const answer = (wanted: boolean) => {
    stored.hints.write({ ...stored.hints.read(), offered: true, sound: wanted });
    if (!wanted) return;
    chime();
    void askToNotify().then(
      (isAllowed) => isAllowed && stored.hints.write({ ...stored.hints.read(), notification: true }),
    );
  };
  return (
    <section aria-label={t("hints.title")} className={styles.offer}>
      <BellRing aria-hidden size={17} className={styles.icon} />
      <p className={styles.text}>{t("hints.offer")}</p>
      <Button size="small" tone="secondary" onClick={() => answer(true)}>
        {t("hints.offer.yes")}
      </Button>
      <Button size="small" tone="ghost" onClick={() => answer(false)}>
        {t("hints.offer.no")}
      </Button>
    </section>
  );
}
