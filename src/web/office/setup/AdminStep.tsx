import { useOfficeText } from "../../language.tsx";
import { Notice } from "../../ui/feedback/Notice.tsx";
import { CopyLines } from "./CopyLine.tsx";
import styles from "./Setup.module.css";
import type { SetupState } from "./useSetup.ts";
import { Exact } from "../../ui/display/Exact.tsx";

export function AdminStep({ setup: { admin } }: { setup: SetupState }) {
  const t = useOfficeText();
  const emails = [...new Set([...admin.administrators, ...admin.awaited])];
  return (
    <>
      <p>{t("setup.admin.text")}</p>
      <ul className={styles.names} aria-label={t("setup.admin.there")}>
        {admin.administrators.map((email) => (
          <li key={email}>
            <Exact dir="ltr">{email}</Exact>
          </li>
        ))}
      </ul>
      {admin.awaited.length > 0 && (
        <Notice tone="warn" title={t("setup.admin.awaited")}>
          <Exact dir="ltr">{admin.awaited.join(", ")}</Exact>
        </Notice>
      )}
      <CopyLines lines={[`ADMIN_EMAILS=${emails.join(",")}`]} />
    </>
  );
}
