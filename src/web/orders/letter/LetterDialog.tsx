import { useQuery } from "@tanstack/react-query";
import { ChevronDown, ChevronUp, ListTree } from "lucide-react";
import { type ReactNode, useEffect, useEffectEvent } from "react";
import { api } from "../../api.ts";
import { useAppText } from "../../language.tsx";
import { stored } from "../../stored.ts";
import { shortcutOf } from "../list/shortcuts.ts";
import { IconButton } from "../../ui/button/IconButton.tsx";
import { dataOf, refusedBy } from "../../serverState.tsx";
import { RetryButton } from "../../RefusalNotice.tsx";
import { Button } from "../../ui/button/Button.tsx";
import { CopyButton } from "../../ui/button/CopyButton.tsx";
import { Dialog } from "../../ui/dialog/Dialog.tsx";
import { VisuallyHidden } from "../../ui/layout/VisuallyHidden.tsx";
import { Skeleton, SkeletonLines } from "../../ui/feedback/Skeleton.tsx";
import { type Letter, letterOf } from "./letter.ts";
import styles from "./LetterDialog.module.css";
import { LetterView } from "./LetterView.tsx";
import { LetterComplaint } from "./LetterComplaint.tsx";
import { Exact } from "../../ui/display/Exact.tsx";

interface LetterDialogProps {
  item: { id: string | undefined; site: string; email: string };
  known?: Letter;
  /** Opens the letter of a neighbouring row; undefined at the ends. */
  onPrevious?: (() => void) | undefined;
  onNext?: (() => void) | undefined;
  onClose: () => void;
  onTimeline: () => void;
}

/** A letter. Fetches it, because lists omit its pictures. */
export function LetterDialog({ item, known, onClose, onTimeline, onPrevious, onNext }: LetterDialogProps) {
  const t = useAppText();
  const id = item.id ?? "";
  const asked = { id, letter: known?.letterId };
  const letter = useQuery({
    queryKey: ["letter", asked],
    queryFn: ({ signal }) => dataOf(api.getMessage(asked, { signal })),
    staleTime: 0,
  });
  // A long page of the list comes without the letters' text.
  const shown = letter.data ? letterOf(letter.data) : known?.message ? known : undefined;
  return (
    <Frame item={item} onClose={onClose} onTimeline={onTimeline} onPrevious={onPrevious} onNext={onNext}>
      {shown && <LetterView id={id} letter={shown} messages={known ? 1 : (letter.data?.messages ?? 1)} />}
      {letter.data?.not_from_site && (
        <LetterComplaint id={id} site={item.site} complaint={letter.data.not_from_site} />
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

type FrameProps = Omit<LetterDialogProps, "known"> & { children: ReactNode };

function Frame({ item, onClose, onTimeline, onPrevious, onNext, children }: FrameProps) {
  const t = useAppText();
  return (
    <Dialog wide title={t("letter.title")} onClose={onClose}>
      <div className={styles.letter}>
        <div className={styles.top}>
          <LetterTo item={item} />
          {(onPrevious ?? onNext) && <Neighbours onPrevious={onPrevious} onNext={onNext} />}
        </div>
        {children}
        <Button
          tone="ghost"
          size="small"
          className={styles.timeline}
          icon={<ListTree aria-hidden size={16} />}
          onClick={onTimeline}
        >
          {t("timeline.title")}
        </Button>
      </div>
    </Dialog>
  );
}

/** Also by the keys that walk through the rows. */
function Neighbours({ onPrevious, onNext }: Pick<LetterDialogProps, "onPrevious" | "onNext">) {
  const t = useAppText();
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (!stored.shortcuts.read()) return;
    const shortcut = shortcutOf(event);
    if (shortcut === "next") onNext?.();
    if (shortcut === "previous") onPrevious?.();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event);
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);
  return (
    <div className={styles.neighbours}>
      <IconButton
        label={t("letter.previous")}
        icon={<ChevronUp aria-hidden size={18} />}
        disabled={!onPrevious}
        onClick={onPrevious}
      />
      <IconButton
        label={t("letter.next")}
        icon={<ChevronDown aria-hidden size={18} />}
        disabled={!onNext}
        onClick={onNext}
      />
    </div>
  );
}

export function LetterTo({ item: { site, email } }: { item: { site: string; email: string | undefined } }) {
  const t = useAppText();
  return (
    <p className={styles.to}>
      <Exact className={styles.site}>{site}</Exact>
      {email !== undefined && (
        <span className={styles.mailbox}>
          <Exact className={styles.email}>{email}</Exact>
          <CopyButton text={email} label={t("activations.copyEmail", { email })} />
        </span>
      )}
    </p>
  );
}

function LoadingSkeleton({ label }: { label: string }) {
  return (
    <div role="status" data-tall className={styles.skeletons}>
      <VisuallyHidden>{label}</VisuallyHidden>
      <Skeleton height="3.5rem" />
      <SkeletonLines lines={3} />
      <span className={styles.paper}>
        <Skeleton height="100%" />
      </span>
    </div>
  );
}
