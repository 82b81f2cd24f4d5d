import type { ReactNode } from "react";
import { historyLettersMax } from "../../../contract/limits.ts";
import { Moment } from "../../Moment.tsx";
import { useAppText } from "../../language.tsx";
import { CopyButton } from "../../ui/button/CopyButton.tsx";
import { Exact } from "../../ui/display/Exact.tsx";
import { Notice } from "../../ui/feedback/Notice.tsx";
import { VisuallyHidden } from "../../ui/layout/VisuallyHidden.tsx";
import { webLink } from "../list/activations.ts";
import { Attachments } from "./Attachments.tsx";
import { LetterBody } from "./LetterBody.tsx";
import { LetterCode } from "./LetterCode.tsx";
import { LetterLink } from "./LetterLink.tsx";
import type { Letter } from "./letter.ts";
import styles from "./LetterView.module.css";

interface Recipient {
  site: string;
  email: string | undefined;
  note?: string | undefined;
}

interface LetterViewProps {
  id: string;
  item: Recipient;
  letter: Letter;
  /** How many letters the order has; without it the others are not told of. */
  messages?: number | undefined;
  complaint?: ReactNode;
  /** Beside the facts: the ways to other letters. */
  tools?: ReactNode;
}

/** A letter with its facts in two lines and its answer above it; the letter has the rest of the room. */
export function LetterView({ id, item, letter, messages = 1, complaint, tools }: LetterViewProps) {
  const t = useAppText();
  const earlier = Math.min(messages, historyLettersMax) - 1;
  return (
    <div className={styles.view}>
      <Facts item={item} letter={letter} />
      {tools && <div className={styles.tools}>{tools}</div>}
      <Answer id={id} letter={letter}>
        {complaint}
      </Answer>
      {letter.attachments.length > 0 && <Attachments files={letter.attachments} />}
      {letter.message === "" ? (
        <div className={styles.gone}>
          <Notice title={t("letter.gone")}>{t("letter.gone.text")}</Notice>
        </div>
      ) : (
        <LetterBody key={letter.letterId} id={id} letter={letter} />
      )}
      {earlier > 0 && <p className={styles.more}>{t("letter.more", { count: earlier })}</p>}
    </div>
  );
}

/** What the buyer came for: the code, or the link. */
function Answer({ id, letter, children }: { id: string; letter: Letter; children: ReactNode }) {
  const t = useAppText();
  const link = webLink(letter.link);
  return (
    <div className={styles.answer}>
      <LetterCode key={letter.letterId} id={id} letter={letter} />
      {link !== undefined && (
        <div className={styles.link}>
          <LetterLink link={link} isWhole />
          <CopyButton text={link} label={t("letter.copyLink")} milliseconds={2000} />
        </div>
      )}
      {children}
    </div>
  );
}

function Facts({ item, letter: { sender, receivedAt } }: { item: Recipient; letter: Letter }) {
  const t = useAppText();
  return (
    <div className={styles.facts}>
      <LetterTo item={item} />
      <p className={styles.from}>
        <VisuallyHidden>{t("letter.from")}: </VisuallyHidden>
        <bdi className={styles.sender} title={sender}>
          {sender || "–"}
        </bdi>
        <VisuallyHidden>{t("letter.at")}: </VisuallyHidden>
        <span className={styles.time}>
          <Moment at={receivedAt} />
        </span>
      </p>
    </div>
  );
}

/** Site and address of an order, and its note. */
export function LetterTo({ item: { site, email, note } }: { item: Recipient }) {
  const t = useAppText();
  return (
    <p className={styles.to}>
      <Exact className={styles.site}>{site}</Exact>
      {email !== undefined && (
        <span className={styles.mailbox}>
          <Exact className={styles.email}>{email}</Exact>
          <CopyButton text={email} label={t("activations.copyEmail", { email })} />
        </span>
      )}
      {note !== undefined && <bdi className={styles.note}>{note}</bdi>}
    </p>
  );
}
