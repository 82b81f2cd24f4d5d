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
  /** In their order, one at least; each has a slide. */
  stories: readonly StoryShown[];
  /** The one to begin with. */
  firstId: string;
  /** Nothing advances by itself until somebody presses "play". */
  stands: boolean;
  /** A story is opened or completed. */
  onViewed: (storyId: string) => void;
  onClose: () => void;
}

/** Stories slide by slide, in a ViewerFrame (spec O §2). */
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
  // What had the focus may be gone with the last story; the keys must still be heard.
  useEffect(() => {
    if (document.activeElement === document.body) stage.current?.focus();
  }, [turn]);
  const slide = story.slides[place.slide];
  if (!slide) return null;
  const number = place.slide + 1;
  return (
    // Not a control: keys of the whole window, whose buttons are all inside.
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

/** Arrows turn slides, space pauses, Home and End go to the first and the last slide of the story. */
function onKey(event: KeyboardEvent, { go, togglePause }: Playback, isRightToLeft: boolean) {
  if (event.altKey || event.ctrlKey || event.metaKey || !(event.target instanceof HTMLElement)) return;
  const { key, target } = event;
  if (key === "ArrowLeft" || key === "ArrowRight") go(arrowStep(key, isRightToLeft));
  // On a button space presses, and long words are scrolled by it, by Home and by End.
  else if (target.tabIndex >= 0) return;
  else if (key === " ") togglePause();
  else if (key === "Home") go("first");
  else if (key === "End") go("last");
  else return;
  event.preventDefault();
}

/** A story is viewed when it is opened; when it is completed that is said once more, for whom it could not be kept at first. */
function useMarks(stories: readonly StoryShown[], { place }: Playback, onViewed: (storyId: string) => void) {
  const story = stories[place.story];
  const mark = useEffectEvent(onViewed);
  const id = story?.id;
  const isLast = place.slide + 1 === story?.slides.length;
  // It is kept outside React: in the browser and on the server.
  useEffect(() => {
    if (id !== undefined) mark(id);
  }, [id, isLast]);
}

/** Fetches the picture of the slide that comes next. */
function usePreload(stories: readonly StoryShown[], { place }: Playback) {
  const { slides } = stories[place.story] ?? { slides: [] };
  const next = slides[place.slide + 1] ?? stories[place.story + 1]?.slides[0];
  const image = next?.image ?? "";
  // The cache of the browser is outside React.
  useEffect(() => {
    if (image !== "") new Image().src = image;
  }, [image]);
}
