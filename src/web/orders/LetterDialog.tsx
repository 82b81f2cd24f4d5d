import { useQuery } from "@tanstack/react-query";
import { ExternalLink, ListTree, RotateCw } from "lucide-react";
import type { ReactNode } from "react";
import { api } from "../api.ts";
import { moment } from "../format.ts";
import { useAppText } from "../language.tsx";
import { dataOf, refusedBy } from "../serverState.tsx";
import { Button } from "../ui/Button.tsx";
import { CopyButton } from "../ui/CopyButton.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import { Hidden } from "../ui/Hidden.tsx";
import { Skeleton, SkeletonLines } from "../ui/Skeleton.tsx";
import { answerIn, webLink } from "./activations.ts";
import { CodeButton } from "./CodeButton.tsx";
import type { HistoryEntry } from "./history.ts";
import styles from "./LetterDialog.module.css";
import { letterDocument } from "./letterDocument.ts";

interface Letter {
  message: string;
  subject: string;
  sender: string;
  receivedAt: number;
  code?: string | undefined;
  link?: string | undefined;
  value?: string | undefined;
}

interface LetterDialogProps {
  item: { id: string | undefined; site: string; email: string };
  onClose: () => void;
  /** Leads to what happened to the activation. */
  onTimeline: () => void;
}

/** The newest letter of an activation, fetched when it is opened. */
export function LetterDialog({ item, onClose, onTimeline }: LetterDialogProps) {
  const t = useAppText();
  const id = item.id ?? "";
  const letter = useQuery({
    queryKey: ["letter", id],
    queryFn: ({ signal }) => dataOf(api.getMessage({ id }, { signal })),
    staleTime: 0,
  });
  const data = letter.data;
  const shown = data && { ...data, receivedAt: data.received_at };
  return (
    <Frame item={item} onClose={onClose} onTimeline={onTimeline}>
      {shown && <LetterView letter={shown} count={data.messages} />}
      {!shown && letter.isFetching && <Bones label={t("letter.loading")} />}
      {!shown && !letter.isFetching && (
        <div role="alert" className={styles.failed}>
          <p className={styles.missing}>
            {t(refusedBy(letter.error)?.value === "wait message" ? "letter.missing" : "letter.error")}
          </p>
          <Button
            tone="secondary"
            size="small"
            icon={<RotateCw aria-hidden size={15} />}
            onClick={() => void letter.refetch()}
          >
            {t("letter.again")}
          </Button>
        </div>
      )}
    </Frame>
  );
}

/** A letter that the history holds already. */
export function HistoryLetterDialog({
  entry,
  ...ways
}: { entry: HistoryEntry } & Pick<LetterDialogProps, "onClose" | "onTimeline">) {
  return (
    <Frame item={entry} {...ways}>
      <LetterView letter={entry} count={1} />
    </Frame>
  );
}

function Frame({ item, onClose, onTimeline, children }: LetterDialogProps & { children: ReactNode }) {
  const t = useAppText();
  return (
    <Dialog wide title={t("letter.title")} onClose={onClose}>
      <div className={styles.letter}>
        <LetterTo item={item} />
        {children}
        <Button
          tone="ghost"
          size="small"
          className={styles.timeline}
          icon={<ListTree aria-hidden size={16} />}
          onClick={onTimeline}
        >
          {t("timeline.title")}
        </Button>
      </div>
    </Dialog>
  );
}

/** For which site and address. */
export function LetterTo({ item: { site, email } }: { item: { site: string; email: string | undefined } }) {
  const t = useAppText();
  return (
    <p className={styles.to}>
      <bdi className={styles.site}>{site}</bdi>
      {email !== undefined && (
        <>
          <bdi className={styles.email}>{email}</bdi>
          <CopyButton text={email} label={t("activations.copyEmail", { email })} />
        </>
      )}
    </p>
  );
}

/** A letter: what it was waited for on top, then itself. */
export function LetterView({ letter, count }: { letter: Letter; count: number }) {
  const t = useAppText();
  const code = answerIn(letter);
  const link = webLink(letter.link);
  return (
    <>
      {code !== undefined && <CodeButton code={code} size="large" />}
      {link !== undefined && (
        <div className={styles.link}>
          <a href={link} target="_blank" rel="noopener noreferrer" dir="ltr" className={styles.address}>
            <ExternalLink aria-hidden size={16} className={styles.icon} />
            <span className={styles.url}>{link}</span>
          </a>
          <CopyButton text={link} label={t("letter.copyLink")} milliseconds={2000} />
        </div>
      )}
      <dl className={styles.head}>
        <div>
          <dt>{t("letter.subject")}</dt>
          <dd dir="auto" className={styles.subject}>
            {letter.subject || "–"}
          </dd>
        </div>
        <div>
          <dt>{t("letter.from")}</dt>
          <dd>
            <bdi>{letter.sender || "–"}</bdi>
          </dd>
        </div>
        <div>
          <dt>{t("letter.at")}</dt>
          <dd>
            <bdi>{moment(letter.receivedAt)}</bdi>
          </dd>
        </div>
      </dl>
      {letter.message === "" ? (
        <p role="alert" className={styles.missing}>
          {t("letter.missing")}
        </p>
      ) : (
        // No scripts, no origin, no forms: only popups, so that a link opens in a tab of its own.
        <iframe
          title={t("letter.body")}
          sandbox="allow-popups allow-popups-to-escape-sandbox"
          referrerPolicy="no-referrer"
          srcDoc={letterDocument(letter.message)}
          className={styles.body}
        />
      )}
      {count > 1 && <p className={styles.more}>{t("letter.more", { count: count - 1 })}</p>}
    </>
  );
}

function Bones({ label }: { label: string }) {
  return (
    <div role="status" className={styles.bones}>
      <Hidden>{label}</Hidden>
      <Skeleton height="3.5rem" />
      <SkeletonLines lines={3} />
      <Skeleton height="16rem" />
    </div>
  );
}
