import { GalleryHorizontalEnd } from "lucide-react";
import { Suspense, useEffect, useId, useRef, useState } from "react";
import { criticalStoryUsers } from "../../contract/limits.ts";
import { ErrorBoundary } from "../ErrorBoundary.tsx";
import { useText } from "../language.tsx";
import { lazyPart } from "../lazyPart.tsx";
import { classNames } from "../ui/layout/classNames.ts";
import { claimAutoOpen } from "../ui/dialog/autoOpen.ts";
import { Button } from "../ui/button/Button.tsx";
import styles from "./StoriesRow.module.css";
import { useThumbnails } from "./useThumbnails.ts";
import { Thumbnails } from "./Thumbnails.tsx";
import { useViewed } from "./useViewed.ts";
import { Exact } from "../ui/display/Exact.tsx";

const load = () => import("./OpenedStory.tsx");
const OpenedStory = lazyPart(async () => (await load()).OpenedStory);

interface Opened {
  id: string;
  /** Opened by the keyboard or a screen reader: nothing advances by itself. */
  stands: boolean;
}

interface StoriesRowProps {
  isTitled?: boolean;
  /** Behind a button; a part of the row of a flex container. */
  folds?: boolean;
  className?: string | undefined;
}

interface FoldButtonProps {
  isOpen: boolean;
  /** How many are not viewed yet. */
  fresh: number;
  onToggle: () => void;
}

function FoldButton({ isOpen, fresh, onToggle }: FoldButtonProps) {
  const t = useText();
  return (
    <Button
      tone="ghost"
      size="small"
      data-folds
      aria-expanded={isOpen}
      className={styles.toggle}
      icon={<GalleryHorizontalEnd aria-hidden size={16} />}
      onClick={onToggle}
    >
      {t("stories.title")} {fresh > 0 && <Exact className={styles.count}>{fresh}</Exact>}
    </Button>
  );
}

/** The row of stories and the opened one (spec O §2); empty without stories. */
export function StoriesRow({ isTitled = false, folds = false, className }: StoriesRowProps) {
  const t = useText();
  const titleId = useId();
  const thumbnails = useThumbnails();
  const [opened, setOpened] = useState<Opened>();
  const [isOpen, setOpen] = useState(!folds);
  const releaseAutoOpen = useRef<() => void>(undefined);
  const viewed = useViewed(thumbnails.length > 0, (userId, isNew) => {
    const pressing = thumbnails.find(({ id, is_critical }) => is_critical && isNew(id));
    if (!pressing || !criticalStoryUsers.includes(userId)) return;
    // Does not interrupt another dialog; it opens on the next page.
    releaseAutoOpen.current = claimAutoOpen();
    if (releaseAutoOpen.current) setOpened({ id: pressing.id, stands: false });
  });
  useEffect(() => () => releaseAutoOpen.current?.(), []);
  const close = () => {
    setOpened(undefined);
    releaseAutoOpen.current?.();
  };
  if (thumbnails.length === 0) return null;
  return (
    <section
      aria-labelledby={titleId}
      className={classNames(folds && styles.parts, className)}
      onPointerEnter={() => void load().catch(() => undefined)}
    >
      <h2 id={titleId} className={classNames(styles.title, !isTitled && styles.spoken)}>
        {t("stories.title")}
      </h2>
      {folds && (
        <FoldButton
          isOpen={isOpen}
          fresh={thumbnails.filter(({ id }) => !viewed.has(id)).length}
          onToggle={() => setOpen(!isOpen)}
        />
      )}
      {isOpen && (
        <Thumbnails
          thumbnails={thumbnails}
          isViewed={viewed.has}
          className={folds ? styles.row : undefined}
          onOpen={(id, stands) => setOpened({ id, stands })}
        />
      )}
      {opened && (
        <ErrorBoundary again={opened}>
          <Suspense>
            <OpenedStory {...opened} onViewed={viewed.mark} onClose={close} />
          </Suspense>
        </ErrorBoundary>
      )}
    </section>
  );
}
