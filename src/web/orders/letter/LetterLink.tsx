import { ExternalLink } from "lucide-react";
import { useAppText } from "../../language.tsx";
import { classNames } from "../../ui/layout/classNames.ts";
import styles from "./LetterLink.module.css";
import { Exact } from "../../ui/display/Exact.tsx";

interface LetterLinkProps {
  link: string;
  /** The whole address, cut to the width; else the host. */
  isWhole?: boolean;
  className?: string | undefined;
}

/** The link of a letter. Opens without opener and referrer. */
export function LetterLink({ link, isWhole = false, className }: LetterLinkProps) {
  const t = useAppText();
  return (
    <a
      href={link}
      target="_blank"
      rel="noopener noreferrer"
      referrerPolicy="no-referrer"
      title={link}
      className={classNames(styles.link, isWhole && styles.whole, className)}
    >
      <ExternalLink aria-hidden size={16} className={styles.icon} />
      <span className={styles.words}>{t("letter.openLink")}</span>
      <Exact className={styles.host}>
        {isWhole ? link.replace(/^https?:\/\//i, "") : new URL(link).hostname}
      </Exact>
    </a>
  );
}
