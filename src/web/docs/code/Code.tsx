import { memo } from "react";
import { type CodeLanguage, tokensOf } from "./highlight.ts";
import styles from "./Code.module.css";

interface CodeProps {
  name: string;
  language: CodeLanguage;
  text: string;
}

/** Longer code stays without colours: each coloured word costs an element. */
const colouredMax = 20_000;

/** A block of code in colours, which can be scrolled by keyboard. */
export const Code = memo(function Code({ name, language, text }: CodeProps) {
  return (
    <pre dir="ltr" tabIndex={0} role="group" aria-label={name} className={styles.code}>
      {/* The key: a page translator may have replaced some of its texts, so another text is another element. */}
      <code key={text} translate="no">
        {tokensOf(text.length > colouredMax ? "text" : language, text).map(({ kind, text: part }, at) =>
          kind === undefined ? (
            part
          ) : (
            <span key={at} className={styles[kind]}>
              {part}
            </span>
          ),
        )}
      </code>
    </pre>
  );
});
