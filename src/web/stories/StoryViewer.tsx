import { useEffect, useEffectEvent, type KeyboardEvent, useRef } from "react";
import { languages } from "../../i18n/languages.ts";
import { useLanguage, useText } from "../language.tsx";
import { classNames } from "../ui/layout/classNames.ts";
import { VisuallyHidden } from "../ui/layout/VisuallyHidden.tsx";
import gradients from "./gradients.module.css";
import { arrowStep } from "./gestures.ts";
import { Slide } from "./Slide.tsx";
import { StoryButton } from "./StoryButton.tsx";
import type { StoryShown } from "./useThumbnails.ts";
import styles from "./StoryViewer.module.css";
import { type Playback, usePlayback } from "./usePlayback.ts";
import { useGestures } from "./useGestures.ts";
import { ViewerBar, ViewerSides } from "./ViewerBar.tsx";

interface StoryViewerProps {
  /** At least one, in order; each has a slide. */
  stories: readonly StoryShown[];
  firstId: string;
  stands: boolean;
  onViewed: (storyId: string) => void;
  onClose: () => void;
}

export function StoryViewer(props: StoryViewerProps) {
  const { stories, firstId, stands, onViewed, onClose } = props;
  const first = Math.max(
    0,
    stories.findIndex(({ id }) => id === firstId),
  );
  const slides = stories.map((story) => story.slides.length);
  const playback = usePlayback({ slides, first, stands, onEnd: onClose });
  const story = stories[playback.place.story];
  useMarks(stories, playback, onViewed);
  usePreload(stories, playback);
  return story && <OpenStory story={story} playback={playback} onClose={onClose} />;
}

interface ShownProps {
  story: StoryShown;
  playback: Playback;
  onClose: () => void;
}

function OpenStory({ story, playback, onClose }: ShownProps) {
  const t = useText();
  const isRightToLeft = languages[useLanguage()].direction === "rtl";
  const stage = useRef<HTMLDivElement>(null);
  const { place, turn, isRunning, hold, read, go } = playback;
  const presses = useGestures({ stage, isRightToLeft, hold, go, onClose });
  // The focused element may be gone with the last story; keys must still work.
  useEffect(() => {
    if (document.activeElement === document.body) stage.current?.focus();
  }, [turn]);
  const slide = story.slides[place.slide];
  if (!slide) return null;
  const number = place.slide + 1;
  return (
    // Not a control: its keys apply to the whole window, and all buttons are inside.
    <div
      className={classNames(styles.viewer, gradients[slide.bg_color])}
      data-picture={slide.image !== "" || undefined}
      onKeyDown={(event) => onKey(event, playback, isRightToLeft)}
    >
      <ViewerBar story={story} playback={playback} onClose={onClose} />
      <div
        ref={stage}
        data-autofocus
        tabIndex={-1}
        className={styles.stage}
        aria-live={isRunning ? "off" : "polite"}
        aria-atomic
        onFocus={(event) => read(event.target !== event.currentTarget)}
        onBlur={() => read(false)}
        {...presses}
      >
        <VisuallyHidden>
          {t("stories.slide", { title: story.title, number, count: story.slides.length })}
        </VisuallyHidden>
        <Slide scrolls slide={slide} className={styles.slide}>
          <StoryButton story={story} onLeave={onClose} />
        </Slide>
      </div>
      <ViewerSides go={go} />
    </div>
  );
}

function onKey(event: KeyboardEvent, { go, togglePause }: Playback, isRightToLeft: boolean) {
  if (event.altKey || event.ctrlKey || event.metaKey || !(event.target instanceof HTMLElement)) return;
  const { key, target } = event;
  if (key === "ArrowLeft" || key === "ArrowRight") go(arrowStep(key, isRightToLeft));
  // A focused button or scrollable text keeps space, Home and End.
  else if (target.tabIndex >= 0) return;
  else if (key === " ") togglePause();
  else if (key === "Home") go("first");
  else if (key === "End") go("last");
  else return;
  event.preventDefault();
}

/** Marks a story when it opens, and again when it completes, in case the first mark was not stored. */
function useMarks(stories: readonly StoryShown[], { place }: Playback, onViewed: (storyId: string) => void) {
  const story = stories[place.story];
  const mark = useEffectEvent(onViewed);
  const id = story?.id;
  const isLast = place.slide + 1 === story?.slides.length;
  useEffect(() => {
    if (id !== undefined) mark(id);
  }, [id, isLast]);
}

function usePreload(stories: readonly StoryShown[], { place }: Playback) {
  const { slides } = stories[place.story] ?? { slides: [] };
  const next = slides[place.slide + 1] ?? stories[place.story + 1]?.slides[0];
  const image = next?.image ?? "";
  useEffect(() => {
    if (image !== "") new Image().src = image;
  }, [image]);
}
