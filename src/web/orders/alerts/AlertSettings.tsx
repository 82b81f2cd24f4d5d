import { Bell, BellRing } from "lucide-react";
import { useId, useState } from "react";
import { useAppText } from "../../language.tsx";
import { type Hints, stored, useStored } from "../../stored.ts";
import { IconButton } from "../../ui/button/IconButton.tsx";
import { Switch } from "../../ui/form/Switch.tsx";
import { chime } from "./chime.ts";
import styles from "./AlertSettings.module.css";
import { askToNotify, hasNotifications, mayNotify } from "./notification.ts";

export function AlertSettings() {
  const t = useAppText();
  const id = useId();
  const [hints] = useStored(stored.hints);
  const Icon = hints.sound || hints.notification ? BellRing : Bell;
  return (
    <>
      <IconButton label={t("hints.title")} icon={<Icon aria-hidden size={17} />} popoverTarget={id} />
      <div id={id} popover="auto" role="group" aria-label={t("hints.title")} className={styles.popover}>
        <p className={styles.title}>{t("hints.title")}</p>
        <Switches />
      </div>
    </>
  );
}

function Switches() {
  const t = useAppText();
  const [hints, setHints] = useStored(stored.hints);
  const [isRefused, setRefused] = useState(false);
  const change = (part: Partial<Hints>) => setHints({ ...stored.hints.read(), ...part });
  const changeNotification = async (wanted: boolean) => {
    const isAllowed = wanted && (await askToNotify());
    setRefused(wanted && !isAllowed);
    change({ notification: isAllowed });
  };
  // The user may have revoked the permission in the browser.
  const notifies = hints.notification && mayNotify();
  return (
    <>
      <Switch
        label={t("hints.sound")}
        checked={hints.sound}
        onChange={(sound) => {
          change({ sound });
          if (sound) chime();
        }}
      />
      <Switch
        label={t("hints.notification")}
        hint={hasNotifications() ? undefined : t("hints.notification.none")}
        disabled={!hasNotifications()}
        checked={notifies}
        onChange={(wanted) => void changeNotification(wanted)}
      />
      <div role="status">
        {isRefused && <p className={styles.refused}>{t("hints.notification.refused")}</p>}
      </div>
      <Switch
        label={t("hints.code")}
        hint={t("hints.code.hint")}
        disabled={!notifies}
        checked={notifies && hints.code}
        onChange={(code) => change({ code })}
      />
      <Switch label={t("hints.tab")} checked={hints.title} onChange={(title) => change({ title })} />
    </>
  );
}
