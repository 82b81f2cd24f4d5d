import { ChevronLeft, ChevronRight, Pause, Play, X } from "lucide-react";
import { useText } from "../language.tsx";
import { IconButton } from "../ui/button/IconButton.tsx";
import { ProgressSegments } from "./ProgressSegments.tsx";
import type { StoryShown } from "./useThumbnails.ts";
import type { Playback } from "./usePlayback.ts";
import styles from "./ViewerBar.module.css";

interface ViewerBarProps {
  story: StoryShown;
  playback: Playback;
  onClose: () => void;
}

export function ViewerBar({ story, playback, onClose }: ViewerBarProps) {
  const t = useText();
  const { place, turn, isRunning, isPaused, togglePause } = playback;
  return (
    <div className={styles.bar}>
      <ProgressSegments count={story.slides.length} at={place.slide} turn={turn} isRunning={isRunning} />
      <div className={styles.line}>
        <p className={styles.words}>
          <b dir="auto">{story.title}</b>
          {story.description !== "" && <span dir="auto">{story.description}</span>}
        </p>
        <IconButton
          className={styles.button}
          label={t(isPaused ? "stories.play" : "stories.pause")}
          icon={isPaused ? <Play aria-hidden size={18} /> : <Pause aria-hidden size={18} />}
          onClick={togglePause}
        />
        <IconButton
          className={styles.button}
          label={t("ui.close")}
          icon={<X aria-hidden size={20} />}
          onClick={onClose}
        />
      </div>
    </div>
  );
}

/** Previous and next as buttons: beside the slide, or on small screens visible on keyboard focus. */
export function ViewerSides({ go }: Pick<Playback, "go">) {
  const t = useText();
  return (
    <>
      <IconButton
        className={styles.back}
        label={t("stories.back")}
        icon={<ChevronLeft aria-hidden data-mirrored size={24} />}
        onClick={() => go("back")}
      />
      <IconButton
        className={styles.forward}
        label={t("stories.forward")}
        icon={<ChevronRight aria-hidden data-mirrored size={24} />}
        onClick={() => go("forward")}
      />
    </>
  );
}
