import { useQuery } from "@tanstack/react-query";
import { api } from "../api.ts";
import { useLanguage, useOfficeText } from "../language.tsx";
import { paths } from "../paths.ts";
import { dataOf } from "../serverState.tsx";
import { useToken } from "../session.ts";
import { LinkButton } from "../ui/button/Button.tsx";
import styles from "./Office.module.css";
import { Notice } from "../ui/feedback/Notice.tsx";

/** Leads an administrator who needs a second factor and has none to the page that makes one. */
export function FactorNotice() {
  const t = useOfficeText();
  const language = useLanguage();
  const token = useToken();
  const factors = useQuery({
    queryKey: ["factors"],
    // A token of programs is refused, and has no notice.
    queryFn: ({ signal }) => dataOf(api.factors({}, { signal, token })),
  });
  if (!factors.data?.required || factors.data.data.length > 0) return null;
  return (
    <Notice
      tone="warn"
      title={t("office.factor.title")}
      action={
        <LinkButton size="small" className={styles.start ?? ""} href={paths.security(language)}>
          {t("office.factor.open")}
        </LinkButton>
      }
    >
      {t("office.factor.text")}
    </Notice>
  );
}
