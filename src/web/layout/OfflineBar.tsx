import { WifiOff } from "lucide-react";
import { useEffect } from "react";
import { useText } from "../language.tsx";
import { useIsOnline } from "../useIsOnline.ts";
import { dialogPlaces, announce } from "../ui/feedback/toast.ts";
import styles from "./OfflineBar.module.css";

/** Says that the connection is gone. The live region is always rendered, or screen readers miss the change. */
export function OfflineBar() {
  const t = useText();
  const online = useIsOnline();
  // An open dialog makes the region inert, so this announces the change there.
  useEffect(() => {
    if (!online && dialogPlaces.last() !== undefined) announce([t("offline.bar")]);
  }, [online, t]);
  return (
    <div role="status" className={styles.place}>
      {!online && (
        <p className={styles.bar}>
          <WifiOff aria-hidden size={16} className={styles.icon} />
          {t("offline.bar")}
        </p>
      )}
    </div>
  );
}
