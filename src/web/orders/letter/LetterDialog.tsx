import { useQuery } from "@tanstack/react-query";
import { ListTree, PanelRight } from "lucide-react";
import type { ReactNode } from "react";
import { createPortal } from "react-dom";
import { api } from "../../api.ts";
import { useAppText } from "../../language.tsx";
import { RetryButton } from "../../RefusalNotice.tsx";
import { dataOf, refusedBy } from "../../serverState.tsx";
import { stored, useStored } from "../../stored.ts";
import { IconButton } from "../../ui/button/IconButton.tsx";
import { Dialog } from "../../ui/dialog/Dialog.tsx";
import { Skeleton, SkeletonLines } from "../../ui/feedback/Skeleton.tsx";
import { useMedia } from "../../ui/layout/useMedia.ts";
import { VisuallyHidden } from "../../ui/layout/VisuallyHidden.tsx";
import type { Item } from "../list/activations.ts";
import { HeadAct } from "./HeadAct.tsx";
import { LetterBeside, placeBeside } from "./LetterBeside.tsx";
import { LetterComplaint } from "./LetterComplaint.tsx";
import styles from "./LetterDialog.module.css";
import { LetterTo, LetterView } from "./LetterView.tsx";
import { Neighbours } from "./Neighbours.tsx";
import { SaveButton } from "./SaveButton.tsx";
import { type Letter, letterOf } from "./letter.ts";

interface LetterDialogProps {
  item: { id: string | undefined; site: string; email: string } & Pick<Item, "subject" | "note">;
  known?: Letter;
  /** Opens the letter of a neighbouring row; undefined at the ends. */
  onPrevious?: (() => void) | undefined;
  onNext?: (() => void) | undefined;
  /** Whether there is a list that it can be kept beside. */
  mayStay?: boolean;
  onClose: () => void;
  onTimeline: () => void;
}

/** A letter. Fetches it, because lists omit its pictures. */
export function LetterDialog(props: LetterDialogProps) {
  const { item, known, onClose, onTimeline, onPrevious, onNext } = props;
  const t = useAppText();
  const id = item.id ?? "";
  const asked = { id, letter: known?.letterId };
  const letter = useQuery({
    queryKey: ["letter", asked],
    queryFn: ({ signal }) => dataOf(api.getMessage(asked, { signal })),
    staleTime: 0,
  });
  const place = usePlace(props);
  // A long page of the list comes without the letters' text.
  const shown = letter.data ? letterOf(letter.data) : known?.message ? known : undefined;
  const acts = (
    <>
      {shown?.letterId !== undefined && <SaveButton id={id} letterId={shown.letterId} />}
      <HeadAct icon={<ListTree aria-hidden size={17} />} onClick={onTimeline}>
        {t("timeline.title")}
      </HeadAct>
      {place.canStay && <StayButton />}
    </>
  );
  return (
    <Frame
      beside={place.beside}
      title={<LetterTitle subject={shown?.subject ?? item.subject} />}
      acts={acts}
      onClose={onClose}
    >
      {shown ? (
        <LetterView
          id={id}
          item={item}
          letter={shown}
          messages={known ? 1 : letter.data?.messages}
          complaint={
            letter.data?.not_from_site && (
              <LetterComplaint key={id} id={id} site={item.site} complaint={letter.data.not_from_site} />
            )
          }
          tools={
            (onPrevious ?? onNext) && (
              <Neighbours onPrevious={onPrevious} onNext={onNext} hasKeys={!place.beside} />
            )
          }
        />
      ) : (
        <LetterTo item={item} />
      )}
      {!shown && letter.isFetching && <LoadingSkeleton label={t("letter.loading")} />}
      {!shown && !letter.isFetching && (
        <div role="alert" className={styles.failed}>
          <p className={styles.missing}>
            {t(refusedBy(letter.error)?.value === "wait message" ? "letter.missing" : "letter.error")}
          </p>
          <RetryButton onRetry={() => void letter.refetch()} />
        </div>
      )}
    </Frame>
  );
}

/** Where the letter is shown: beside the list if there is one, room for both and the reader wants it. */
function usePlace({ mayStay }: LetterDialogProps) {
  const isWide = useMedia("(width >= 75rem)");
  const [isBeside] = useStored(stored.letterBeside);
  const canStay = mayStay === true && isWide;
  return { canStay, beside: canStay && isBeside ? placeBeside() : null };
}

/** The subject, after the word that tells a screen reader what this is. */
export function LetterTitle({ subject = "" }: { subject?: string | undefined }) {
  const t = useAppText();
  if (subject === "") return t("letter.title");
  return (
    <span dir="auto" title={subject} className={styles.title}>
      <VisuallyHidden>{t("letter.title")}: </VisuallyHidden>
      {subject}
    </span>
  );
}

function StayButton() {
  const t = useAppText();
  const [isBeside, setBeside] = useStored(stored.letterBeside);
  return (
    <IconButton
      label={t("letter.beside")}
      aria-pressed={isBeside}
      className={isBeside ? styles.pressed : undefined}
      icon={<PanelRight data-mirrored aria-hidden size={18} />}
      onClick={() => setBeside(!isBeside)}
    />
  );
}

interface FrameProps {
  beside: HTMLElement | null;
  title: ReactNode;
  acts: ReactNode;
  onClose: () => void;
  children: ReactNode;
}

function Frame({ beside, children, ...rest }: FrameProps) {
  const content = <div className={styles.letter}>{children}</div>;
  if (beside) return createPortal(<LetterBeside {...rest}>{content}</LetterBeside>, beside);
  return (
    <Dialog wide="letter" {...rest}>
      {content}
      <LastStop />
    </Dialog>
  );
}

/** A frame does not tell of its Tab: after it the focus would leave the dialog for the browser. */
const LastStop = () => (
  <span
    data-last
    tabIndex={0}
    onFocus={({ currentTarget }) => currentTarget.closest("dialog")?.querySelector("button")?.focus()}
  />
);

function LoadingSkeleton({ label }: { label: string }) {
  return (
    <div role="status" className={styles.skeletons}>
      <VisuallyHidden>{label}</VisuallyHidden>
      <SkeletonLines lines={2} />
      <span className={styles.paper}>
        <Skeleton height="100%" />
      </span>
    </div>
  );
}
