import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Endpoints } from "../../../contract/api.ts";
import type { Reply } from "../../../contract/endpoint.ts";
import { api, type Refused } from "../../api.ts";
import { useAppText } from "../../language.tsx";
import { refusalText } from "../../refusalText.ts";
import { Button } from "../../ui/button/Button.tsx";
import { Notice } from "../../ui/feedback/Notice.tsx";
import { VisuallyHidden } from "../../ui/layout/VisuallyHidden.tsx";
import { answerIn } from "../list/activations.ts";
import { CodeButton } from "./CodeButton.tsx";
import type { Letter } from "./letter.ts";
import styles from "./LetterCode.module.css";
import { Exact } from "../../ui/display/Exact.tsx";

/** The code, and what else may be it: the buyer's choice shows at once and is sent to the shop. */
export function LetterCode({ id, letter }: { id: string; letter: Letter }) {
  const t = useAppText();
  const [chosen, setChosen] = useState<Reply<Endpoints["chooseCode"]>>();
  const [isOpen, setOpen] = useState(false);
  const code = letter.value || (chosen?.code ?? answerIn(letter));
  // What the buyer's own pattern found is not in question.
  const others = letter.value ? [] : chosen ? (chosen.code_candidates ?? []) : letter.codeCandidates;
  return (
    <>
      {code !== undefined && <CodeButton code={code} size="large" className={styles.found} />}
      <VisuallyHidden role="status">
        {chosen?.code && t("letter.code.chosen", { code: chosen.code })}
      </VisuallyHidden>
      {others.length > 0 && code !== undefined && !isOpen && (
        <Button
          tone="ghost"
          size="small"
          autoFocus={chosen !== undefined}
          className={styles.start}
          onClick={() => setOpen(true)}
        >
          {t("letter.code.other")}
        </Button>
      )}
      {others.length > 0 && (isOpen || code === undefined) && (
        <Choices
          id={id}
          letterId={letter.letterId}
          codes={others}
          isOpened={isOpen}
          onChosen={(reply) => {
            setChosen(reply);
            setOpen(false);
          }}
        />
      )}
    </>
  );
}

interface ChoicesProps {
  id: string;
  letterId: string | undefined;
  codes: readonly string[];
  isOpened: boolean;
  onChosen: (reply: Reply<Endpoints["chooseCode"]>) => void;
}

function Choices({ id, letterId, codes, isOpened, onChosen }: ChoicesProps) {
  const t = useAppText();
  const client = useQueryClient();
  const [busy, setBusy] = useState<string>();
  const [refused, setRefused] = useState<Refused<string>>();
  const choose = async (code: string) => {
    setBusy(code);
    const answer = await api.chooseCode({ id, code, letter: letterId });
    setBusy(undefined);
    setRefused(answer.ok ? undefined : answer);
    if (answer.ok) onChosen(answer.data);
    void client.invalidateQueries();
  };
  return (
    <div role="group" aria-label={t("letter.code.which")} className={styles.choices}>
      <p>{t("letter.code.which")}</p>
      <div className={styles.codes}>
        {codes.map((code, index) => (
          <Button
            key={code}
            tone="secondary"
            size="small"
            autoFocus={isOpened && index === 0}
            busy={busy === code}
            onClick={() => void choose(code)}
          >
            <Exact className={styles.code}>{code}</Exact>
          </Button>
        ))}
      </div>
      {refused && <Notice tone="bad">{refusalText(t, refused)}</Notice>}
    </div>
  );
}
