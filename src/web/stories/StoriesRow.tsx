import { Suspense, useEffect, useId, useRef, useState } from "react";
import { criticalStoryUsers } from "../../contract/limits.ts";
import { ErrorBoundary } from "../ErrorBoundary.tsx";
import { useText } from "../language.tsx";
import { lazyPart } from "../lazyPart.tsx";
import { classNames } from "../ui/layout/classNames.ts";
import { claimAutoOpen } from "../ui/dialog/autoOpen.ts";
import styles from "./StoriesRow.module.css";
import { useThumbnails } from "./useThumbnails.ts";
import { Thumbnails } from "./Thumbnails.tsx";
import { useViewed } from "./useViewed.ts";

const load = () => import("./OpenedStory.tsx");
const OpenedStory = lazyPart(async () => (await load()).OpenedStory);

interface Opened {
  id: string;
  /** Opened by the keyboard or a screen reader: nothing advances by itself. */
  stands: boolean;
}

interface StoriesRowProps {
  isTitled?: boolean;
  className?: string | undefined;
}

/** The row of stories and the opened one (spec O §2); empty without stories. */
export function StoriesRow({ isTitled = false, className }: StoriesRowProps) {
  const t = useText();
  const titleId = useId();
  const thumbnails = useThumbnails();
  const [opened, setOpened] = useState<Opened>();
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
      className={className}
      onPointerEnter={() => void load().catch(() => undefined)}
    >
      <h2 id={titleId} className={classNames(styles.title, !isTitled && styles.spoken)}>
        {t("stories.title")}
      </h2>
      <Thumbnails
        thumbnails={thumbnails}
        isViewed={viewed.has}
        onOpen={(id, stands) => setOpened({ id, stands })}
      />
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
