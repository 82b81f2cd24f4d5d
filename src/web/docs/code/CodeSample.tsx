import { CopyButton } from "../../ui/button/CopyButton.tsx";
import styles from "../Call.module.css";
import { Code } from "./Code.tsx";
import type { CodeLanguage } from "./highlight.ts";

interface CodeSampleProps {
  of: string;
  title: string;
  copy: string;
  language: CodeLanguage;
  text: string;
}

export function CodeSample({ of, title, copy, language, text }: CodeSampleProps) {
  return (
    <figure className={styles.sample}>
      <figcaption className={styles.caption}>
        {title}
        <CopyButton text={text} label={copy} />
      </figcaption>
      <Code name={`${of}: ${title}`} language={language} text={text} />
    </figure>
  );
}

const isCode = /`([^`]+)`|((?:GET |POST )?\/(?:api|email|payments|user)\/[\w/.]*\w)/;

/** Renders text in backquotes and paths as code. */
export function TextWithCode({ text }: { text: string }) {
  // A split by two groups yields a text, one of the groups, a text again.
  const parts = text.split(isCode).map((part, at) => {
    if (at % 3 === 0) return part;
    return part === undefined ? null : <Word key={at} word={part} />;
  });
  // The key: a page translator may have replaced some of the texts, so another text is another element.
  return <span key={text}>{parts}</span>;
}

/** Code reads left to right inside a sentence of any direction. */
const Word = ({ word }: { word: string }) => (
  <code dir="ltr" translate="no">
    {word}
  </code>
);
