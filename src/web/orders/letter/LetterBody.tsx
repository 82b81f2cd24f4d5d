import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useAppText } from "../../language.tsx";
import { RetryButton } from "../../RefusalNotice.tsx";
import { refusalText } from "../../refusalText.ts";
import { dataOf, refusedBy } from "../../serverState.tsx";
import { SkeletonLines } from "../../ui/feedback/Skeleton.tsx";
import { Tabs } from "../../ui/layout/Tabs.tsx";
import type { Letter } from "./letter.ts";
import { textOf } from "./letterText.ts";
import styles from "./LetterBody.module.css";
import { LetterFrame } from "./LetterFrame.tsx";
import { type SourceOf, sourceOf } from "./SaveButton.tsx";

const views = ["html", "text", "headers", "source"] as const;
type View = (typeof views)[number];

interface LetterBodyProps {
  id: string;
  letter: Letter;
}

/** The letter as its sender meant it, as text, and as it came. */
export function LetterBody({ id, letter }: LetterBodyProps) {
  const t = useAppText();
  const [view, setView] = useState<View>("html");
  const { letterId } = letter;
  if (letterId === undefined)
    return (
      <div className={styles.panel}>
        <LetterFrame id={id} letter={letter} />
      </div>
    );
  return (
    <div className={styles.body}>
      <Tabs
        look="switch"
        label={t("letter.view")}
        active={view}
        onSelect={setView}
        tabs={views.map((one) => ({ id: one, label: t(`letter.view.${one}`) }))}
      >
        {view === "html" && <LetterFrame id={id} letter={letter} />}
        {view === "text" && (
          <Verbatim view={view}>{textOf(letter.message) || t("letter.text.none")}</Verbatim>
        )}
        {(view === "headers" || view === "source") && <Source view={view} id={id} letterId={letterId} />}
      </Tabs>
    </div>
  );
}

async function readSource(asked: SourceOf) {
  const answer = await sourceOf(asked);
  return answer.ok ? { ok: true as const, data: await answer.file.text() } : answer;
}

/** More than this is not read on a page, and drawing it would stop it. */
const shownLength = 200_000;

function Source({ view, id, letterId }: SourceOf & { view: "headers" | "source" }) {
  const t = useAppText();
  const source = useQuery({
    queryKey: ["letterSource", id, letterId],
    queryFn: () => dataOf(readSource({ id, letterId })),
    staleTime: Infinity,
  });
  const refused = refusedBy(source.error);
  if (refused)
    return (
      <div role="alert" className={styles.failed}>
        <p>{refused.value === "no letter" ? t("letter.gone") : refusalText(t, refused)}</p>
        <RetryButton onRetry={() => void source.refetch()} />
      </div>
    );
  if (source.data === undefined) return <SkeletonLines lines={6} />;
  const shown = view === "headers" ? headersOf(source.data) : source.data.slice(0, shownLength);
  return (
    <>
      <Verbatim view={view}>{shown}</Verbatim>
      {view === "source" && source.data.length > shownLength && (
        <p className={styles.cut}>{t("letter.source.cut")}</p>
      )}
    </>
  );
}

/** All before the first empty line (RFC 5322 §2.1). */
const headersOf = (source: string): string => source.split(/\r?\n\r?\n/, 1)[0] ?? "";

function Verbatim({ view, children }: { view: View; children: ReactNode }) {
  const t = useAppText();
  return (
    <pre
      dir={view === "text" ? "auto" : "ltr"}
      tabIndex={0}
      role="region"
      aria-label={t(`letter.view.${view}`)}
      className={styles.verbatim}
    >
      {children}
    </pre>
  );
}
