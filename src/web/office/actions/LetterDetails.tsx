import { useQuery } from "@tanstack/react-query";
import type { Endpoints } from "../../../contract/api.ts";
import type { Reply } from "../../../contract/endpoint.ts";
import type { OfficeKey } from "../../../i18n/t.ts";
import { api, type Refused } from "../../api.ts";
import { fileSize } from "../../format.ts";
import { useLanguage, useOfficeText } from "../../language.tsx";
import { dataOf, refusedBy } from "../../serverState.tsx";
import { RefusalNotice } from "../../RefusalNotice.tsx";
import { Dialog } from "../../ui/dialog/Dialog.tsx";
import { Loading } from "../../ui/feedback/Loading.tsx";
import { Notice } from "../../ui/feedback/Notice.tsx";
import { officeRefusalText } from "../officeRefusalText.ts";
import { ObjectLink } from "../objects/ObjectLink.tsx";
import { Setting, SettingList } from "../setup/SettingList.tsx";
import { utcText } from "../utcText.ts";
import styles from "./LetterDetails.module.css";

type LetterReply = Reply<Endpoints["inspectLetter"]>;

export function LetterDetails({ id, onClose }: { id: string; onClose: () => void }) {
  const t = useOfficeText();
  return (
    <Dialog wide title={t("office.letter.title", { id })} onClose={onClose}>
      <Letter id={id} Heading="h3" />
      <p className={styles.page}>
        <ObjectLink object="letter" id={id} text={t("office.letter.page")} />
      </p>
    </Dialog>
  );
}

type Level = "h2" | "h3";

/** A letter as it arrived. `Heading` is one below that of the dialog or the page. */
export function Letter({ id, Heading }: { id: string; Heading: Level }) {
  const letter = useQuery({
    queryKey: ["letter look", id],
    queryFn: ({ signal }) => dataOf(api.inspectLetter({ id }, { signal })),
    // Each view is written to the audit log: fetch once for each opening.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const refused = refusedBy(letter.error);
  return (
    <div className={styles.letter}>
      {letter.isFetching && <Loading lines={6} />}
      {refused && !letter.isFetching && (
        <LetterRefusal refused={refused} onAgain={() => void letter.refetch()} />
      )}
      {letter.data && <LetterFacts letter={letter.data} Heading={Heading} />}
    </div>
  );
}

function LetterRefusal({ refused, onAgain }: { refused: Refused<string>; onAgain: () => void }) {
  const t = useOfficeText();
  if (refused.value === "letter gone") return <Notice tone="bad">{officeRefusalText(t, refused)}</Notice>;
  return <RefusalNotice refused={refused} onRetry={onAgain} />;
}

const words = {
  waiting: "office.letter.is.waiting",
  given: "office.letter.is.given",
  "turned away": "office.letter.is.turned",
  postmaster: "office.letter.is.postmaster",
} as const satisfies Record<LetterReply["is"], OfficeKey>;

function LetterFacts({ letter, Heading }: { letter: LetterReply; Heading: Level }) {
  const t = useOfficeText();
  const language = useLanguage();
  const { is, envelope, from, subject, helo, remote, signers, headers, text } = letter;
  const by = [helo, remote].filter(Boolean).join(", ");
  return (
    <>
      <Notice tone={is === "given" ? "good" : "info"}>{t(words[is])}</Notice>
      <SettingList>
        {from !== undefined && <Setting name={t("office.column.from")} value={from} />}
        {subject !== undefined && <Setting name={t("office.column.subject")} value={subject} />}
        <Setting
          name={t("office.utc", { name: t("office.column.arrived") })}
          value={utcText(letter.arrived_at)}
        />
        <Setting name={t("office.column.size")} value={fileSize(language, letter.bytes)} />
        <Setting name={t("office.letter.envelope")} value={envelope || t("office.letter.nobody")} />
        {by !== "" && <Setting name={t("office.letter.brought")} value={by} />}
        <Setting name={t("office.letter.proof")} value={proofOf(letter) || t("office.letter.unproven")} />
        {signers.length > 0 && <Setting name={t("office.letter.signers")} value={signers.join(", ")} />}
      </SettingList>
      {is === "postmaster" && (
        <section aria-label={t("office.letter.text")}>
          <Heading className={styles.heading}>{t("office.letter.text")}</Heading>
          {text?.trim() ? (
            <p dir="auto" className={styles.text}>
              {text.trim()}
            </p>
          ) : (
            <p className={styles.soft}>{t("office.letter.text.none")}</p>
          )}
        </section>
      )}
      {headers === undefined ? (
        <p className={styles.soft}>{t("office.letter.headers.gone")}</p>
      ) : (
        <details className={styles.headers}>
          <summary className={styles.fold}>{t("office.letter.headers")}</summary>
          <pre dir="ltr" className={styles.lines}>
            {headers}
          </pre>
        </details>
      )}
      <p className={styles.soft}>{t("office.letter.logged")}</p>
    </>
  );
}

const proofOf = ({ spf, dkim, dmarc }: LetterReply): string =>
  Object.entries({ SPF: spf, DKIM: dkim, DMARC: dmarc })
    .flatMap(([check, result]) => (result === undefined ? [] : [`${check} ${result}`]))
    .join(", ");
