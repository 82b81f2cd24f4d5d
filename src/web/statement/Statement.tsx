import { useIsFetching, useQueryClient } from "@tanstack/react-query";
import { RotateCw } from "lucide-react";
import { api, fetchFile } from "../api.ts";
import { AccountPage } from "../dashboard/AccountPage.tsx";
import { useAccountText, useLanguage } from "../language.tsx";
import { paths } from "../paths.ts";
import { refusalText } from "../refusalText.ts";
import { DownloadButton } from "../DownloadButton.tsx";
import { useMinimumDuration } from "../ui/feedback/useMinimumDuration.ts";
import { IconButton } from "../ui/button/IconButton.tsx";
import { Spinner } from "../ui/feedback/Spinner.tsx";
import { LowBalance } from "./LowBalance.tsx";
import styles from "./Statement.module.css";
import { StatementCard } from "./StatementCard.tsx";
import { askOf } from "./statement.ts";
import { type StatementSource, useStatementQuery } from "./useStatement.ts";

const spinnerMilliseconds = 1000;

const own: StatementSource = {
  key: ["statement"],
  read: (ask, options) => api.statement(ask, options),
};

export function Statement() {
  const t = useAccountText();
  const language = useLanguage();
  const [query] = useStatementQuery();
  const actions = (
    <div className={styles.actions}>
      <LowBalance />
      <RefreshButton />
      <DownloadButton
        name={query.book}
        fetchFile={() => fetchFile("statementFile", askOf(query))}
        refusalText={(refused) => refusalText(t, refused)}
      >
        {t("statement.download")}
      </DownloadButton>
    </div>
  );
  return (
    <AccountPage title={t("statement.title")} lead={t("statement.lead")} actions={actions}>
      <StatementCard
        source={own}
        readBy={{
          orderPage: (id) => paths.order(language, id),
          paymentPage: (id) => paths.pay(language, id),
        }}
      />
    </AccountPage>
  );
}

function RefreshButton() {
  const t = useAccountText();
  const client = useQueryClient();
  const spins = useMinimumDuration(useIsFetching({ queryKey: ["statement"] }) > 0, spinnerMilliseconds);
  return (
    <IconButton
      label={t("activations.refresh")}
      icon={spins ? <Spinner size={17} /> : <RotateCw aria-hidden size={17} />}
      aria-busy={spins}
      onClick={() => void client.resetQueries({ queryKey: ["statement"] })}
    />
  );
}
