import { useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from "react";
import { slideSeconds } from "../../contract/limits.ts";
import { type Place, run, type Step, placeAfter, stop, type SlideTimer } from "./slidePlace.ts";

/** What is shown of some stories, and whether time runs for it. */
export interface Playback {
  place: Place;
  /** Grows with each step: the same slide again is another turn. */
  turn: number;
  isRunning: boolean;
  /** Stopped on purpose, by the button or the space key. */
  isPaused: boolean;
  go: (step: Step) => void;
  togglePause: () => void;
  /** While a press lasts. */
  hold: (isHeld: boolean) => void;
  /** While something of the story itself has the focus. */
  read: (isRead: boolean) => void;
}

interface PlaybackProps {
  /** How many slides each story has. */
  slides: readonly number[];
  first: number;
  /** Nothing advances until somebody presses "play". */
  stands: boolean;
  onEnd: () => void;
}

/** Shows each slide for 5 s, then the next one, then the next story, then ends (spec O §2). */
export function usePlayback({ slides, first, stands, onEnd }: PlaybackProps): Playback {
  const [{ place, turn }, setShown] = useState({ place: { story: first, slide: 0 }, turn: 0 });
  // Who wants nothing to move wants nothing to go away by itself either.
  const [isPaused, setPaused] = useState(
    () => stands || matchMedia("(prefers-reduced-motion: reduce)").matches,
  );
  const [isHeld, hold] = useState(false);
  const [isRead, read] = useState(false);
  const isHidden = useIsHidden();
  const isRunning = !(isPaused || isHeld || isRead || isHidden);
  const go = (step: Step) => {
    const next = placeAfter(slides, place, step);
    if (next === undefined) onEnd();
    else setShown({ place: next, turn: turn + 1 });
  };
  useTurn(turn, isRunning, () => go("forward"));
  const togglePause = () => setPaused(!isPaused);
  return { place, turn, isRunning, isPaused, go, togglePause, hold, read };
}

function useTurn(turn: number, isRunning: boolean, onEnd: () => void) {
  const kept = useRef<{ turn: number; time: SlideTimer }>(undefined);
  const end = useEffectEvent(onEnd);
  // Time runs outside React.
  useEffect(() => {
    const clock =
      kept.current?.turn === turn
        ? kept.current
        : { turn, time: { leftMs: slideSeconds * 1000 } as SlideTimer };
    kept.current = clock;
    if (!isRunning) return undefined;
    clock.time = run(clock.time, performance.now());
    const timer = setTimeout(end, clock.time.leftMs);
    return () => {
      clearTimeout(timer);
      clock.time = stop(clock.time, performance.now());
    };
  }, [turn, isRunning]);
}

/** Is the tab in the background, where nobody sees what is shown? */
function useIsHidden(): boolean {
  return useSyncExternalStore(
    (listener) => {
      document.addEventListener("visibilitychange", listener);
      return () => document.removeEventListener("visibilitychange", listener);
    },
    () => document.hidden,
    () => false,
  );
}
