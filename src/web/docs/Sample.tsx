import { CopyButton } from "../ui/CopyButton.tsx";
import styles from "./Call.module.css";

interface SampleProps {
  /** Of which section, for the name of the block. */
  of: string;
  title: string;
  copy: string;
  text: string;
}

/** A block of code that can be copied. */
export function Sample({ of, title, copy, text }: SampleProps) {
  return (
    <figure className={styles.sample}>
      <figcaption className={styles.caption}>
        {title}
        <CopyButton text={text} label={copy} />
      </figcaption>
      <pre dir="ltr" tabIndex={0} role="group" aria-label={`${of}: ${title}`} className={styles.code}>
        <code>{text}</code>
      </pre>
    </figure>
  );
}

/** What stands between backquotes is code. */
export function Said({ text }: { text: string }) {
  return text.split("`").map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : part));
}
