import { useQuery } from "@tanstack/react-query";
import { Children, type ReactNode, useState } from "react";
import { api } from "../api.ts";
import { useAccount } from "../dashboard/account.ts";
import { moment } from "../format.ts";
import { useAccountText, useLanguage } from "../language.tsx";
import { paths } from "../paths.ts";
import { ConfirmCall } from "../programs/ConfirmCall.tsx";
import { ProgramsSection } from "../programs/ProgramsSection.tsx";
import { dataOf, refusedBy } from "../serverState.tsx";
import { Button, LinkButton } from "../ui/button/Button.tsx";
import { Exact } from "../ui/display/Exact.tsx";
import type { LimitedToken } from "../programs/tokens.ts";
import { invalidateAccount } from "../session.ts";
import styles from "./Security.module.css";

/** What opens the account without a person: tokens, webhooks, the bot. */
export function Access() {
  const t = useAccountText();
  const access = useQuery({
    queryKey: ["access"],
    queryFn: async ({ signal }) => ({
      tokens: await dataOf(api.tokens({}, { signal })),
      webhooks: (await dataOf(api.webhooks({}, { signal }))).data,
    }),
  });
  return (
    <ProgramsSection
      id="access-title"
      title={t("access.title")}
      text={t("access.text")}
      action={null}
      isLoading={access.isPending && access.isFetching}
      refused={refusedBy(access.error)}
      reload={() => void access.refetch()}
    >
      {access.data && (
        <ul className={styles.list}>
          <AccountToken usedAt={access.data.tokens.used_at} onReplaced={() => void access.refetch()} />
          <LimitedTokens tokens={access.data.tokens.data} />
          <Webhooks hosts={access.data.webhooks.map(({ url }) => new URL(url).host)} />
          <Telegram />
        </ul>
      )}
    </ProgramsSection>
  );
}

function useLastUse(): (at: number | undefined) => string {
  const t = useAccountText();
  return (at) => (at === undefined ? t("access.never") : t("access.used", { at: moment(at) }));
}

function AccountToken({ usedAt, onReplaced }: { usedAt: number | undefined; onReplaced: () => void }) {
  const t = useAccountText();
  const lastUse = useLastUse();
  const [asks, setAsks] = useState(false);
  return (
    <Row name={t("access.token")} facts={[t("access.token.text"), lastUse(usedAt)]}>
      <Button tone="secondary" size="small" onClick={() => setAsks(true)}>
        {t("access.replace")}
      </Button>
      {asks && (
        <ConfirmCall
          title={t("access.replace.title")}
          action={t("access.replace")}
          call={() => api.replaceToken({})}
          done={() => t("access.replaced")}
          onEnd={() => {
            invalidateAccount();
            onReplaced();
            setAsks(false);
          }}
          onClose={() => setAsks(false)}
        >
          <p>{t("access.replace.text")}</p>
        </ConfirmCall>
      )}
    </Row>
  );
}

function LimitedTokens({ tokens }: { tokens: readonly LimitedToken[] }) {
  const t = useAccountText();
  const lastUse = useLastUse();
  const facts = tokens.map(({ name, used_at: at }) => (
    <>
      <Exact>{name}</Exact>: {lastUse(at)}
    </>
  ));
  return (
    <Row name={t("token.title")} facts={facts.length === 0 ? [t("access.none")] : facts}>
      <Manage />
    </Row>
  );
}

function Webhooks({ hosts }: { hosts: readonly string[] }) {
  const t = useAccountText();
  return (
    <Row name={t("webhook.title")} facts={hosts.length === 0 ? [t("access.none")] : hosts}>
      <Manage />
    </Row>
  );
}

function Telegram() {
  const t = useAccountText();
  const { data: account } = useAccount();
  return (
    <Row
      name={t("access.telegram")}
      facts={[t(account?.telegramConfirmed ? "access.telegram.linked" : "access.telegram.none")]}
    />
  );
}

function Manage() {
  const t = useAccountText();
  const language = useLanguage();
  return (
    <LinkButton tone="secondary" size="small" href={paths.programs(language)}>
      {t("access.manage")}
    </LinkButton>
  );
}

/** What something is, what is known of it, and what can be done with it. */
export function Row({
  name,
  facts,
  children,
}: {
  name: string;
  facts: readonly ReactNode[];
  children?: ReactNode;
}) {
  return (
    <li className={styles.row}>
      <div className={styles.what}>
        <p className={styles.name}>{name}</p>
        <p className={styles.facts}>
          {Children.map(facts, (fact) => (
            <span>{fact}</span>
          ))}
        </p>
      </div>
      {children}
    </li>
  );
}
