import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { GalleryVerticalEnd } from "lucide-react";
import { useState } from "react";
import { thumbnailOf } from "../../../contract/thumbnails.ts";
import { api } from "../../api.ts";
import { useOfficeText } from "../../language.tsx";
import { dataOf, refusedBy } from "../../serverState.tsx";
import { stored, useStored } from "../../stored.ts";
import { StoryViewer } from "../../stories/StoryViewer.tsx";
import { Thumbnails } from "../../stories/Thumbnails.tsx";
import { ViewerFrame } from "../../stories/ViewerFrame.tsx";
import { RefusalNotice } from "../../RefusalNotice.tsx";
import { Badge } from "../../ui/feedback/Badge.tsx";
import { Card } from "../../ui/layout/Card.tsx";
import { EmptyState } from "../../ui/feedback/EmptyState.tsx";
import { Loading } from "../../ui/feedback/Loading.tsx";
import styles from "../Admin.module.css";
import { EditableRow, useFocusAfterMove, type Direction } from "../EditableRow.tsx";
import type { StoryShown } from "./storyDraft.ts";
import { Exact } from "../../ui/display/Exact.tsx";

interface StoryRowsProps {
  editing: string | undefined;
  onMove: (id: string, way: Direction) => void;
  onMark: (id: string, isCritical: boolean) => void;
  onEdit: (id: string) => void;
  onRemove: (id: string) => void;
}

export function StoryRows(props: StoryRowsProps) {
  const t = useOfficeText();
  return (
    <Card flush aria-labelledby="story-list">
      <h2 id="story-list" className={styles.listHeading}>
        {t("editor.story.list")}
      </h2>
      <Items {...props} />
    </Card>
  );
}

function Items({ editing, onMove, onMark, onEdit, onRemove }: StoryRowsProps) {
  const t = useOfficeText();
  const [language] = useStored(stored.activeLang);
  const stories = useQuery({
    queryKey: ["stories", language],
    queryFn: async ({ signal }) =>
      (await dataOf(api.storyList({ lang: language, all: "1" }, { signal }))).stories,
    placeholderData: keepPreviousData,
  });
  const { list, note } = useFocusAfterMove(stories.data?.map(({ id }) => id));
  const refused = stories.data ? undefined : refusedBy(stories.error);
  if (refused) return <RefusalNotice inset refused={refused} onRetry={() => void stories.refetch()} />;
  if (!stories.data) {
    return <Loading inset lines={4} />;
  }
  if (stories.data.length === 0)
    return <EmptyState icon={<GalleryVerticalEnd aria-hidden size={22} />} title={t("editor.story.none")} />;
  return (
    <>
      <ThumbnailPreview stories={stories.data} />
      <ol ref={list} aria-labelledby="story-list">
        {stories.data.map((story, at, { length }) => (
          <EditableRow
            key={story.id}
            id={story.id}
            isFirst={at === 0}
            isLast={at === length - 1}
            isEdited={story.id === editing}
            onMove={(way) => {
              note(story.id, way);
              onMove(story.id, way);
            }}
            onEdit={() => onEdit(story.id)}
            onRemove={() => onRemove(story.id)}
          >
            <StorySummary story={story} onMark={(isCritical) => onMark(story.id, isCritical)} />
          </EditableRow>
        ))}
      </ol>
    </>
  );
}

/** The thumbnails; a press opens the stories without marking them as viewed. */
function ThumbnailPreview({ stories }: { stories: readonly StoryShown[] }) {
  const t = useOfficeText();
  const [opened, setOpened] = useState<{ id: string; stands: boolean }>();
  const close = () => setOpened(undefined);
  return (
    <div className={styles.thumbnails}>
      <Thumbnails
        thumbnails={stories.map(thumbnailOf)}
        isViewed={() => false}
        onOpen={(id, stands) => setOpened({ id, stands })}
      />
      {opened && (
        <ViewerFrame label={t("editor.preview.full")} onClose={close}>
          <StoryViewer
            stories={stories}
            firstId={opened.id}
            stands={opened.stands}
            onViewed={() => undefined}
            onClose={close}
          />
        </ViewerFrame>
      )}
    </div>
  );
}

function StorySummary({ story, onMark }: { story: StoryShown; onMark: (isCritical: boolean) => void }) {
  const t = useOfficeText();
  const [language] = useStored(stored.activeLang);
  return (
    <>
      <p className={styles.facts}>
        <span>
          {t("profile.id")} <Exact>{story.id}</Exact>
        </span>
        <span>{t("editor.slides", { count: story.slides.length })}</span>
        {story.lang !== language && <Badge>{story.lang.toUpperCase()}</Badge>}
        {story.is_critical && <Badge tone="bad">{t("editor.story.badge")}</Badge>}
      </p>
      <h3 dir="auto" lang={story.lang} className={styles.name}>
        {story.title}
      </h3>
      <label className={styles.check}>
        <input
          type="checkbox"
          checked={story.is_critical}
          onChange={(event) => onMark(event.target.checked)}
        />
        {t("editor.story.critical")}
      </label>
    </>
  );
}
