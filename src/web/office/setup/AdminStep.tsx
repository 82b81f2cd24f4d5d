import { useOfficeText } from "../../language.tsx";
import { Notice } from "../../ui/feedback/Notice.tsx";
import { CopyLines } from "./CopyLine.tsx";
import styles from "./Setup.module.css";
import type { SetupState } from "./useSetup.ts";

export function AdminStep({ setup: { admin } }: { setup: SetupState }) {
  const t = useOfficeText();
  const emails = [...new Set([...admin.administrators, ...admin.awaited])];
  return (
    <>
      <p>{t("setup.admin.text")}</p>
      <ul className={styles.names} aria-label={t("setup.admin.there")}>
        {admin.administrators.map((email) => (
          <li key={email}>
            <bdi dir="ltr">{email}</bdi>
          </li>
        ))}
      </ul>
      {admin.awaited.length > 0 && (
        <Notice tone="warn" title={t("setup.admin.awaited")}>
          <bdi dir="ltr">{admin.awaited.join(", ")}</bdi>
        </Notice>
      )}
      <CopyLines lines={[`ADMIN_EMAILS=${emails.join(",")}`]} />
    </>
  );
}
