import { useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from "react";
import { slideSeconds } from "../../contract/limits.ts";
import { type Place, run, type Step, placeAfter, stop, type SlideTimer } from "./slidePlace.ts";

export interface Playback {
  place: Place;
  /** Grows with each step, also to the same slide. */
  turn: number;
  isRunning: boolean;
  isPaused: boolean;
  go: (step: Step) => void;
  togglePause: () => void;
  hold: (isHeld: boolean) => void;
  read: (isRead: boolean) => void;
}

interface PlaybackProps {
  slides: readonly number[];
  first: number;
  stands: boolean;
  onEnd: () => void;
}

/** Shows each slide for 5 s, then the next slide, then the next story, then ends (spec O §2). */
export function usePlayback({ slides, first, stands, onEnd }: PlaybackProps): Playback {
  const [{ place, turn }, setShown] = useState({ place: { story: first, slide: 0 }, turn: 0 });
  // Reduced motion includes slides that advance by themselves.
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
