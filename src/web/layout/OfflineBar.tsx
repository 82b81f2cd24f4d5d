import { WifiOff } from "lucide-react";
import { useEffect } from "react";
import { useText } from "../language.tsx";
import { useIsOnline } from "../online.ts";
import { dialogPlaces, speak } from "../ui/toast.ts";
import styles from "./OfflineBar.module.css";

/** Says that the connection is gone for as long as it is. The region is always there, or nobody would hear it change. */
export function OfflineBar() {
  const t = useText();
  const online = useIsOnline();
  // An open dialog makes the region inert, and what is heard is outside React.
  useEffect(() => {
    if (!online && dialogPlaces.last() !== undefined) speak([t("offline.bar")]);
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
