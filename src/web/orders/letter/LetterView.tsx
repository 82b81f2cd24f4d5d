import { historyLettersMax } from "../../../contract/limits.ts";
import { Moment } from "../../Moment.tsx";
import { useAppText } from "../../language.tsx";
import { CopyButton } from "../../ui/button/CopyButton.tsx";
import { Notice } from "../../ui/feedback/Notice.tsx";
import { webLink } from "../list/activations.ts";
import { Attachments } from "./Attachments.tsx";
import { LetterCode } from "./LetterCode.tsx";
import { LetterLink } from "./LetterLink.tsx";
import type { Letter } from "./letter.ts";
import { LetterBody } from "./LetterBody.tsx";
import styles from "./LetterView.module.css";

interface LetterViewProps {
  id: string;
  letter: Letter;
  /** How many letters the order has; without it the others are not told of. */
  messages?: number;
}

export function LetterView({ id, letter, messages = 1 }: LetterViewProps) {
  const t = useAppText();
  const earlier = Math.min(messages, historyLettersMax) - 1;
  const link = webLink(letter.link);
  return (
    <>
      <LetterCode key={letter.letterId} id={id} letter={letter} />
      {link !== undefined && (
        <div className={styles.link}>
          <LetterLink link={link} isWhole />
          <CopyButton text={link} label={t("letter.copyLink")} milliseconds={2000} />
        </div>
      )}
      <Head letter={letter} />
      {letter.attachments.length > 0 && <Attachments files={letter.attachments} />}
      {letter.message === "" ? (
        <Notice title={t("letter.gone")}>{t("letter.gone.text")}</Notice>
      ) : (
        <LetterBody key={letter.letterId} id={id} letter={letter} />
      )}
      {earlier > 0 && <p className={styles.more}>{t("letter.more", { count: earlier })}</p>}
    </>
  );
}

function Head({ letter: { subject, sender, receivedAt } }: { letter: Letter }) {
  const t = useAppText();
  return (
    <dl className={styles.head}>
      <div>
        <dt>{t("letter.subject")}</dt>
        <dd className={styles.subject}>
          <bdi>{subject || "–"}</bdi>
        </dd>
      </div>
      <div>
        <dt>{t("letter.from")}</dt>
        <dd>
          <bdi>{sender || "–"}</bdi>
        </dd>
      </div>
      <div>
        <dt>{t("letter.at")}</dt>
        <dd>
          <Moment at={receivedAt} />
        </dd>
      </div>
    </dl>
  );
}
