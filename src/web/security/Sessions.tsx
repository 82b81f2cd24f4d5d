import { useQuery, useQueryClient } from "@tanstack/react-query";
import { LogOut } from "lucide-react";
import { useState } from "react";
import type * as z from "zod/mini";
import type { Session } from "../../contract/tokens.ts";
import type { AccountKey } from "../../i18n/t.ts";
import { api } from "../api.ts";
import { useAccountText } from "../language.tsx";
import { Moment } from "../Moment.tsx";
import { ConfirmCall } from "../programs/ConfirmCall.tsx";
import { ProgramsSection } from "../programs/ProgramsSection.tsx";
import { useCall } from "../programs/useCall.ts";
import { dataOf, refusedBy } from "../serverState.tsx";
import { Button } from "../ui/button/Button.tsx";
import { Exact } from "../ui/display/Exact.tsx";
import { Badge } from "../ui/feedback/Badge.tsx";
import styles from "./Security.module.css";

type ShownSession = z.output<typeof Session>;

const ways: Readonly<Record<string, AccountKey>> = {
  password: "sessions.way.password",
  registration: "sessions.way.registration",
  passkey: "sessions.way.passkey",
};

export function Sessions() {
  const t = useAccountText();
  const client = useQueryClient();
  const [asks, setAsks] = useState(false);
  const sessions = useQuery({
    queryKey: ["sessions"],
    queryFn: async ({ signal }) => (await dataOf(api.sessions({}, { signal }))).data,
  });
  const refresh = () => void client.invalidateQueries({ queryKey: ["sessions"] });
  const listed = sessions.data ?? [];
  return (
    <ProgramsSection
      id="sessions-title"
      title={t("sessions.title")}
      text={t("sessions.text")}
      action={
        listed.length > 1 && (
          <Button
            tone="secondary"
            icon={<LogOut aria-hidden data-mirrored size={17} />}
            onClick={() => setAsks(true)}
          >
            {t("sessions.endOthers")}
          </Button>
        )
      }
      isLoading={sessions.isPending && sessions.isFetching}
      refused={refusedBy(sessions.error)}
      reload={() => void sessions.refetch()}
    >
      {listed.length > 0 && (
        <ul className={styles.list}>
          {listed
            .toSorted((one, other) => Number(other.own) - Number(one.own))
            .map((session) => (
              <Row key={session.id} session={session} onEnded={refresh} />
            ))}
        </ul>
      )}
      {asks && (
        <ConfirmCall
          title={t("sessions.endOthers.title")}
          action={t("sessions.endOthers")}
          call={() => api.endOtherSessions({})}
          done={({ ended }) => t("sessions.endedOthers", { count: ended })}
          onEnd={() => {
            refresh();
            setAsks(false);
          }}
          onClose={() => setAsks(false)}
        >
          <p>{t("sessions.endOthers.text")}</p>
        </ConfirmCall>
      )}
    </ProgramsSection>
  );
}

function Row({ session, onEnded }: { session: ShownSession; onEnded: () => void }) {
  const t = useAccountText();
  const [isBusy, run] = useCall();
  const { id, own, program, network, way } = session;
  const name = program ?? t("sessions.program.unknown");
  const end = async () => {
    await run(
      () => api.endSession({ id }),
      () => t("sessions.ended"),
    );
    onEnded();
  };
  return (
    <li className={styles.row}>
      <div className={styles.what}>
        <p className={styles.name}>
          <Exact>{name}</Exact>
          {own && <Badge tone="good">{t("sessions.own")}</Badge>}
        </p>
        <p className={styles.facts}>
          <span>{network === undefined ? t("sessions.network.own") : <Exact>{network}</Exact>}</span>
          <span>{t(ways[way] ?? "sessions.way.other")}</span>
          <span>
            {t("sessions.used")}: <Moment at={session.used_at} />
          </span>
          <span>
            {t("sessions.begun")}: <Moment at={session.created_at} />
          </span>
        </p>
      </div>
      {!own && (
        <Button
          tone="secondary"
          size="small"
          busy={isBusy}
          aria-label={t("sessions.end.one", { name })}
          onClick={() => void end()}
        >
          {t("sessions.end")}
        </Button>
      )}
    </li>
  );
}
