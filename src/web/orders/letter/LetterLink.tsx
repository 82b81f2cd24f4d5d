import { ExternalLink } from "lucide-react";
import { useAppText } from "../../language.tsx";
import { classNames } from "../../ui/layout/classNames.ts";
import styles from "./LetterLink.module.css";

interface LetterLinkProps {
  link: string;
  /** With all of its address, cut where the room ends; else with its host. */
  isWhole?: boolean;
  className?: string | undefined;
}

/** The link that was found in a letter. It opens apart, and what it opens learns neither our page nor our address. */
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
      <bdi className={styles.host}>
        {isWhole ? link.replace(/^https?:\/\//i, "") : new URL(link).hostname}
      </bdi>
    </a>
  );
}
