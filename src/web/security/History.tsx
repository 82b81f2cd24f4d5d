import { useInfiniteQuery } from "@tanstack/react-query";
import type * as z from "zod/mini";
import type { SecurityCall, SecurityEvent } from "../../contract/account/security.ts";
import type { AccountKey } from "../../i18n/t.ts";
import { api } from "../api.ts";
import { moment } from "../format.ts";
import { useAccountText } from "../language.tsx";
import { ProgramsSection } from "../programs/ProgramsSection.tsx";
import { dataOf, refusedBy } from "../serverState.tsx";
import { Button } from "../ui/button/Button.tsx";
import { Exact } from "../ui/display/Exact.tsx";
import { Badge } from "../ui/feedback/Badge.tsx";
import styles from "./Security.module.css";

type Happened = z.output<typeof SecurityEvent>;

// A call without its words does not compile.
const words: Readonly<Record<SecurityCall, AccountKey>> = {
  authorize: "history.call.authorize",
  registration: "history.call.registration",
  activate: "history.call.activate",
  sendCodeReset: "history.call.sendCodeReset",
  changePassword: "history.call.changePassword",
  disown: "history.call.disown",
  setPassword: "history.call.setPassword",
  changeEmail: "history.call.changeEmail",
  confirmEmail: "history.call.confirmEmail",
  ownData: "history.call.ownData",
  closeAccount: "history.call.closeAccount",
  signOut: "history.call.signOut",
  endSession: "history.call.endSession",
  endOtherSessions: "history.call.endOtherSessions",
  replaceToken: "history.call.replaceToken",
  addToken: "history.call.addToken",
  removeToken: "history.call.removeToken",
  addWebhook: "history.call.addWebhook",
  changeWebhook: "history.call.changeWebhook",
  replaceWebhookSecret: "history.call.replaceWebhookSecret",
  telegramLink: "history.call.telegramLink",
  prove: "history.call.prove",
  openToPrograms: "history.call.openToPrograms",
  grantRole: "history.call.grantRole",
  authorizeFactor: "history.call.authorizeFactor",
  addPasskey: "history.call.addPasskey",
  addApp: "history.call.addApp",
  removeFactor: "history.call.removeFactor",
  newRecoveryCodes: "history.call.newRecoveryCodes",
  resetFactors: "history.call.resetFactors",
};

export function History() {
  const t = useAccountText();
  const history = useInfiniteQuery({
    queryKey: ["history of security"],
    initialPageParam: "",
    queryFn: ({ signal, pageParam }) =>
      dataOf(api.securityEvents(pageParam === "" ? {} : { before: pageParam }, { signal })),
    getNextPageParam: ({ next }) => next,
  });
  const events = history.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <ProgramsSection
      id="history-title"
      title={t("history.title")}
      text={t("history.text")}
      action={null}
      isLoading={history.isPending && history.isFetching}
      refused={refusedBy(history.error)}
      reload={() => void history.refetch()}
    >
      {events.length > 0 && (
        <ul className={styles.list}>
          {events.map((event) => (
            <Row key={`${event.at} ${event.call} ${event.network}`} event={event} />
          ))}
        </ul>
      )}
      {history.hasNextPage && (
        <p className={styles.more}>
          <Button
            tone="ghost"
            size="small"
            busy={history.isFetchingNextPage}
            onClick={() => void history.fetchNextPage()}
          >
            {t("history.more")}
          </Button>
        </p>
      )}
    </ProgramsSection>
  );
}

function Row({ event: { at, call, refused, network, program } }: { event: Happened }) {
  const t = useAccountText();
  const word = (words as Partial<Record<string, AccountKey>>)[call] ?? "history.other";
  return (
    <li className={styles.event}>
      <p className={styles.name}>
        {t(word)}
        {refused !== undefined && <Badge tone="bad">{t("history.refused")}</Badge>}
      </p>
      <p className={styles.facts}>
        {network !== undefined && <Exact>{network}</Exact>}
        {program !== undefined && <Exact>{program}</Exact>}
        <Exact>{moment(at)}</Exact>
      </p>
    </li>
  );
}
