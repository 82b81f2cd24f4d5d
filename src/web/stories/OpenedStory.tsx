import { X } from "lucide-react";
import { api } from "../api.ts";
import { type LoadInLanguage, usePreloaded } from "../usePreloaded.ts";
import { useText } from "../language.tsx";
import { Button } from "../ui/button/Button.tsx";
import { IconButton } from "../ui/button/IconButton.tsx";
import { Spinner } from "../ui/feedback/Spinner.tsx";
import styles from "./OpenedStory.module.css";
import type { StoryShown } from "./useThumbnails.ts";
import { StoryViewer } from "./StoryViewer.tsx";
import { ViewerFrame } from "./ViewerFrame.tsx";

interface OpenedStoryProps {
  id: string;
  stands: boolean;
  onViewed: (storyId: string) => void;
  onClose: () => void;
}

export function OpenedStory({ id, stands, onViewed, onClose }: OpenedStoryProps) {
  const t = useText();
  const { data, failed, again } = usePreloaded<StoryShown[]>(undefined, ask);
  const stories = data?.filter(({ slides }) => slides.length > 0);
  // The story may have been deleted since its thumbnail loaded.
  const isGone = stories?.every((story) => story.id !== id) ?? false;
  return (
    <ViewerFrame label={t("stories.title")} onClose={onClose}>
      {stories && !isGone ? (
        <StoryViewer stories={stories} firstId={id} stands={stands} onViewed={onViewed} onClose={onClose} />
      ) : (
        <div className={styles.waiting}>
          <IconButton
            data-autofocus
            className={styles.close}
            label={t("ui.close")}
            icon={<X aria-hidden size={20} />}
            onClick={onClose}
          />
          {!failed && !isGone && <Spinner label={t("ui.loading")} />}
          {isGone && <p role="status">{t("stories.gone")}</p>}
          {failed && (
            <>
              <p role="alert">{t("stories.failed")}</p>
              <Button onClick={again}>{t("stories.again")}</Button>
            </>
          )}
        </div>
      )}
    </ViewerFrame>
  );
}

const ask: LoadInLanguage<StoryShown[]> = async (language, signal) => {
  const answer = await api.storyList({ lang: language }, { signal });
  return answer.ok ? { ok: true, data: answer.data.stories } : answer;
};
