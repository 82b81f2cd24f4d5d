import { useQuery, useQueryClient } from "@tanstack/react-query";
import { KeyRound, Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { api } from "../api.ts";
import { Moment } from "../Moment.tsx";
import { exactPrice, isolated, moment } from "../format.ts";
import { useAccountText, useLanguage } from "../language.tsx";
import { dataOf, refusedBy } from "../serverState.tsx";
import { Badge } from "../ui/feedback/Badge.tsx";
import { Button } from "../ui/button/Button.tsx";
import { useCountdown } from "../ui/display/Countdown.tsx";
import { EmptyState } from "../ui/feedback/EmptyState.tsx";
import { IconButton } from "../ui/button/IconButton.tsx";
import { Switch } from "../ui/form/Switch.tsx";
import { Table } from "../ui/display/Table.tsx";
import { ConfirmCall } from "./ConfirmCall.tsx";
import { NewTokenDialog } from "./NewTokenDialog.tsx";
import styles from "./Programs.module.css";
import { SecretDialog } from "./SecretDialog.tsx";
import { ProgramsSection } from "./ProgramsSection.tsx";
import type { LimitedToken } from "./tokens.ts";
import { useCall } from "./useCall.ts";
import { Exact } from "../ui/display/Exact.tsx";

const sitesShown = 3;

export function Tokens() {
  const t = useAccountText();
  const client = useQueryClient();
  const [isNew, setNew] = useState(false);
  const [made, setMade] = useState("");
  const [removing, setRemoving] = useState<LimitedToken>();
  const tokens = useQuery({
    queryKey: ["tokens"],
    queryFn: ({ signal }) => dataOf(api.tokens({}, { signal })),
  });
  const refresh = () => void client.invalidateQueries({ queryKey: ["tokens"] });
  return (
    <ProgramsSection
      id="tokens-title"
      title={t("token.title")}
      text={t("token.text")}
      action={
        <Button icon={<Plus aria-hidden size={17} />} onClick={() => setNew(true)}>
          {t("token.new")}
        </Button>
      }
      isLoading={tokens.isPending && tokens.isFetching}
      refused={refusedBy(tokens.error)}
      reload={() => void tokens.refetch()}
    >
      {tokens.data && <List tokens={tokens.data.data} onRevoke={setRemoving} />}
      {tokens.data && <OpenToPrograms isOpen={tokens.data.open} onDone={refresh} />}
      {isNew && (
        <NewTokenDialog
          onClose={() => setNew(false)}
          onMade={(token) => {
            setNew(false);
            setMade(token);
            refresh();
          }}
        />
      )}
      {made !== "" && (
        <SecretDialog
          title={t("token.made")}
          text={t("token.made.text")}
          secret={made}
          onClose={() => setMade("")}
        />
      )}
      {removing && <Revoke token={removing} onClose={() => setRemoving(undefined)} onDone={refresh} />}
    </ProgramsSection>
  );
}

/** Closed for administrators unless they open it. It asks for the person each way. */
function OpenToPrograms({ isOpen, onDone }: { isOpen: boolean; onDone: () => void }) {
  const t = useAccountText();
  const [isBusy, run] = useCall();
  const change = async (open: boolean) => {
    await run(() => api.openToPrograms({ open }));
    onDone();
  };
  return (
    <div className={styles.open}>
      <Switch
        label={t("token.open")}
        hint={t("token.open.text")}
        checked={isOpen}
        disabled={isBusy}
        onChange={(open) => void change(open)}
      />
    </div>
  );
}

interface ListProps {
  tokens: readonly LimitedToken[];
  onRevoke: (token: LimitedToken) => void;
}

function List({ tokens, onRevoke }: ListProps) {
  const t = useAccountText();
  if (tokens.length === 0) {
    return (
      <EmptyState icon={<KeyRound aria-hidden size={22} />} title={t("token.empty")}>
        {t("token.empty.text")}
      </EmptyState>
    );
  }
  return (
    <div className={styles.table}>
      <Table
        caption={t("token.title")}
        rows={tokens}
        rowKey={(token) => token.id}
        columns={[
          {
            id: "name",
            header: t("token.name"),
            heading: true,
            cell: (token) => <Exact className={styles.name}>{token.name}</Exact>,
          },
          { id: "limits", header: t("token.limits"), cell: (token) => <Limits token={token} /> },
          { id: "spent", header: t("token.spent"), cell: (token) => <Spent token={token} /> },
          {
            id: "used",
            header: t("token.used"),
            cell: ({ used_at: at }) => (at === undefined ? t("token.used.never") : <Moment at={at} />),
          },
          { id: "expires", header: t("token.expires"), cell: (token) => <Expiry token={token} /> },
          {
            id: "acts",
            header: t("token.revoke"),
            align: "end",
            quiet: true,
            cell: (token) => (
              <IconButton
                label={t("token.revoke.one", { name: token.name })}
                title={t("token.revoke")}
                icon={<Trash2 aria-hidden size={17} />}
                onClick={() => onRevoke(token)}
              />
            ),
          },
        ]}
      />
    </div>
  );
}

function Limits({ token }: { token: LimitedToken }) {
  const t = useAccountText();
  const language = useLanguage();
  const { sites = [], price_max: highest } = token;
  const rest = sites.length - sitesShown;
  return (
    <span className={styles.limits}>
      <span>
        {sites.length === 0 ? (
          t("token.sites.all")
        ) : (
          <Exact title={sites.join(", ")}>{sites.slice(0, sitesShown).join(", ")}</Exact>
        )}
        {rest > 0 && ` ${t("token.sites.more", { count: rest })}`}
      </span>
      {highest !== undefined && (
        <span>{t("token.upTo", { price: isolated(exactPrice(language, highest)) })}</span>
      )}
    </span>
  );
}

function Spent({ token }: { token: LimitedToken }) {
  const t = useAccountText();
  const language = useLanguage();
  const spent = <Exact>{exactPrice(language, token.spent_today)}</Exact>;
  if (token.budget_day === undefined) return spent;
  return (
    <span className={styles.limits}>
      {spent}
      <span className={styles.soft}>
        {t("token.ofBudget", { budget: isolated(exactPrice(language, token.budget_day)) })}
      </span>
    </span>
  );
}

function Expiry({ token: { expires_at: at } }: { token: LimitedToken }) {
  const t = useAccountText();
  return at === undefined ? t("token.life.never") : <TimeLeft at={at} />;
}

function TimeLeft({ at }: { at: number }) {
  const t = useAccountText();
  const isOver = useCountdown(at * 1000) === 0;
  return isOver ? <Badge tone="bad">{t("token.expired")}</Badge> : <Exact>{moment(at)}</Exact>;
}

interface RevokeProps {
  token: LimitedToken;
  onClose: () => void;
  onDone: () => void;
}

function Revoke({ token: { id, name }, onClose, onDone }: RevokeProps) {
  const t = useAccountText();
  return (
    <ConfirmCall
      title={t("token.revoke.title")}
      action={t("token.revoke")}
      call={() => api.removeToken({ id })}
      done={() => t("token.revoked", { name })}
      onEnd={() => {
        onDone();
        onClose();
      }}
      onClose={onClose}
    >
      <p>{t("token.revoke.text", { name })}</p>
    </ConfirmCall>
  );
}
