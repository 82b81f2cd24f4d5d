import { useQuery } from "@tanstack/react-query";
import { ShieldX } from "lucide-react";
import type { ReactNode } from "react";
import { api } from "../api.ts";
import { openAuth } from "../auth/authDialog.ts";
import { useOfficeText } from "../language.tsx";
import { dataOf, ServerState } from "../serverState.tsx";
import { useToken } from "../session.ts";
import { Button } from "../ui/button/Button.tsx";
import { Card } from "../ui/layout/Card.tsx";
import { EmptyState } from "../ui/feedback/EmptyState.tsx";
import { VisuallyHidden } from "../ui/layout/VisuallyHidden.tsx";
import { Spinner } from "../ui/feedback/Spinner.tsx";
import { RetryButton } from "../RefusalNotice.tsx";
import styles from "./AdminAccess.module.css";

/** Renders its children for administrators only. Denies without a token, on any refusal and without an answer (spec O §4). */
export function AdminAccess({ children }: { children: ReactNode }) {
  return (
    <ServerState>
      <AccessCheck>{children}</AccessCheck>
    </ServerState>
  );
}

function AccessCheck({ children }: { children: ReactNode }) {
  const t = useOfficeText();
  const token = useToken();
  const check = useQuery({
    queryKey: ["admin check"],
    // Passes the token explicitly: a refusal is shown here and does not end the session.
    queryFn: ({ signal }) => dataOf(api.adminCheck({}, { signal, token })),
    enabled: token !== "",
    // The server checks each later call again.
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (check.isSuccess) return children;
  if (check.isFetching) {
    return (
      <div className={styles.middle}>
        <Spinner label={t("office.access.checking")} />
      </div>
    );
  }
  return (
    <Card className={styles.denied}>
      <h1>
        <VisuallyHidden>{t("office.title")}</VisuallyHidden>
      </h1>
      <EmptyState
        icon={<ShieldX aria-hidden size={22} />}
        title={t("office.access.denied")}
        action={
          token === "" ? (
            <Button size="small" onClick={() => openAuth("login")}>
              {t("nav.login")}
            </Button>
          ) : (
            <RetryButton onRetry={() => void check.refetch()} />
          )
        }
      >
        {t("office.access.denied.text")}
      </EmptyState>
    </Card>
  );
}
