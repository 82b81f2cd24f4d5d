import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Fingerprint, KeyRound, Smartphone, Trash2 } from "lucide-react";
import { useState } from "react";
import type { Endpoints } from "../../contract/api.ts";
import type { Reply } from "../../contract/endpoint.ts";
import { recoveryCodes } from "../../contract/limits.ts";
import { api } from "../api.ts";
import { useAccountText } from "../language.tsx";
import { Moment } from "../Moment.tsx";
import { ConfirmCall } from "../programs/ConfirmCall.tsx";
import { RefusalNotice } from "../RefusalNotice.tsx";
import { dataOf, refusedBy } from "../serverState.tsx";
import { useToken } from "../session.ts";
import { Button } from "../ui/button/Button.tsx";
import { IconButton } from "../ui/button/IconButton.tsx";
import { Exact } from "../ui/display/Exact.tsx";
import { EmptyState } from "../ui/feedback/EmptyState.tsx";
import { Loading } from "../ui/feedback/Loading.tsx";
import { Notice } from "../ui/feedback/Notice.tsx";
import { Card } from "../ui/layout/Card.tsx";
import { CardHeader } from "../ui/layout/CardHeader.tsx";
import { AppDialog } from "./AppDialog.tsx";
import styles from "./Factors.module.css";
import { PasskeyDialog } from "./PasskeyDialog.tsx";
import { hasPasskeys } from "./passkeys.ts";
import { RecoveryDialog } from "./RecoveryDialog.tsx";

type State = Reply<Endpoints["factors"]>;
export type Factor = State["data"][number];

/** What was opened: a dialog, or the codes that are shown once. */
type Opened = "passkey" | "app" | "recovery" | { removes: Factor } | { codes: readonly string[] };

/** The second factor of the account: lists, adds and removes its parts. */
export function Factors() {
  const t = useAccountText();
  const token = useToken();
  const client = useQueryClient();
  const [opened, open] = useState<Opened>();
  const factors = useQuery({
    queryKey: ["factors"],
    // With the token given, its refusal does not end the session: one by a token of programs may look at the page.
    queryFn: ({ signal }) => dataOf(api.factors({}, { signal, token })),
  });
  const close = () => open(undefined);
  const done = (codes?: readonly string[]) => {
    open(codes && { codes });
    void client.invalidateQueries({ queryKey: ["factors"] });
  };
  const refused = refusedBy(factors.error);
  return (
    <Card flush aria-labelledby="factors-title" aria-busy={factors.isPending && factors.isFetching}>
      <CardHeader id="factors-title" title={t("factors.title")} text={t("factors.text")}>
        {factors.data && <Adding state={factors.data} onOpen={open} />}
      </CardHeader>
      {factors.isPending && factors.isFetching && <Loading inset lines={3} />}
      {refused?.value === "session" ? (
        <div className={styles.inset}>
          <Notice>{t("factors.session")}</Notice>
        </div>
      ) : (
        refused && <RefusalNotice inset refused={refused} onRetry={() => void factors.refetch()} />
      )}
      {factors.data && <Content state={factors.data} onOpen={open} />}
      {opened === "passkey" && <PasskeyDialog onClose={close} onAdded={done} />}
      {opened === "app" && <AppDialog onClose={close} onAdded={done} />}
      {opened === "recovery" && (
        <ConfirmCall
          title={t("factors.recovery.new.title")}
          action={t("factors.recovery.new")}
          call={() => api.newRecoveryCodes({})}
          onEnd={(made) => (made ? done(made.recovery_codes) : close())}
          onClose={close}
        >
          <p>{t("factors.recovery.new.text")}</p>
        </ConfirmCall>
      )}
      {typeof opened === "object" && "codes" in opened && (
        <RecoveryDialog codes={opened.codes} onClose={close} />
      )}
      {typeof opened === "object" && "removes" in opened && (
        <Remove
          factor={opened.removes}
          isLast={factors.data?.data.length === 1}
          onClose={close}
          onDone={() => done()}
        />
      )}
    </Card>
  );
}

interface PartProps {
  state: State;
  onOpen: (opened: Opened) => void;
}

function Adding({ state, onOpen }: PartProps) {
  const t = useAccountText();
  const hasApp = state.data.some(({ kind }) => kind === "app");
  const takesPasskeys = state.passkeys && hasPasskeys();
  return (
    <div className={styles.buttons}>
      {takesPasskeys && (
        <Button icon={<Fingerprint aria-hidden size={17} />} onClick={() => onOpen("passkey")}>
          {t("factors.passkey.add")}
        </Button>
      )}
      {!hasApp && (
        <Button
          tone={takesPasskeys ? "secondary" : "primary"}
          icon={<Smartphone aria-hidden size={17} />}
          onClick={() => onOpen("app")}
        >
          {t("factors.app.add")}
        </Button>
      )}
    </div>
  );
}

function Content({ state, onOpen }: PartProps) {
  const t = useAccountText();
  if (state.data.length === 0) {
    return (
      <>
        {state.required && (
          <div className={styles.inset}>
            <Notice tone="warn">{t("factors.required")}</Notice>
          </div>
        )}
        <EmptyState icon={<KeyRound aria-hidden size={22} />} title={t("factors.none.title")}>
          {t("factors.none")}
        </EmptyState>
      </>
    );
  }
  return (
    <>
      <ul className={styles.list}>
        {state.data.map((factor) => (
          <Item key={factor.id} factor={factor} onRemove={() => onOpen({ removes: factor })} />
        ))}
      </ul>
      <div className={styles.recovery}>
        <div className={styles.about}>
          <h3 className={styles.name}>{t("factors.recovery.title")}</h3>
          <p className={styles.soft}>
            {t("factors.recovery.left", { count: state.recovery_left, of: recoveryCodes })}
          </p>
        </div>
        <Button tone="secondary" onClick={() => onOpen("recovery")}>
          {t("factors.recovery.new")}
        </Button>
      </div>
    </>
  );
}

function Item({ factor, onRemove }: { factor: Factor; onRemove: () => void }) {
  const t = useAccountText();
  const { kind, name, created_at: created, used_at: used } = factor;
  const Icon = kind === "passkey" ? Fingerprint : Smartphone;
  return (
    <li className={styles.item}>
      <Icon aria-hidden size={20} className={styles.icon} />
      <div className={styles.about}>
        <Exact className={styles.name}>{name}</Exact>
        <p className={styles.soft}>
          <span>{t(`factors.kind.${kind}`)}</span>
          <span>
            {t("factors.added")} <Moment at={created} />
          </span>
          <span>
            {used === undefined ? (
              t("factors.unused")
            ) : (
              <>
                {t("factors.used")} <Moment at={used} />
              </>
            )}
          </span>
        </p>
      </div>
      <IconButton
        label={t("factors.remove.one", { name })}
        title={t("factors.remove")}
        icon={<Trash2 aria-hidden size={17} />}
        onClick={onRemove}
      />
    </li>
  );
}

interface RemoveProps {
  factor: Factor;
  isLast: boolean;
  onClose: () => void;
  onDone: () => void;
}

function Remove({ factor: { id, name }, isLast, onClose, onDone }: RemoveProps) {
  const t = useAccountText();
  return (
    <ConfirmCall
      title={t("factors.remove.title")}
      action={t("factors.remove")}
      call={() => api.removeFactor({ id })}
      done={() => t("factors.removed", { name })}
      onEnd={onDone}
      onClose={onClose}
    >
      <p>{t("factors.remove.text", { name })}</p>
      {isLast && <p>{t("factors.remove.last")}</p>}
    </ConfirmCall>
  );
}
