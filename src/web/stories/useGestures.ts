import { type MouseEvent, type PointerEvent, type RefObject, useRef } from "react";
import { isTap, type Gesture, swipeStep, tapStep } from "./gestures.ts";
import type { Step } from "./slidePlace.ts";

interface GesturesProps {
  stage: RefObject<HTMLElement | null>;
  isRightToLeft: boolean;
  hold: (isHeld: boolean) => void;
  go: (step: Step) => void;
  onClose: () => void;
}

/** Holding pauses, a tap on a side changes the slide, a swipe down closes (spec O §2). */
export function useGestures({ stage, isRightToLeft, hold, go, onClose }: GesturesProps) {
  const last = useRef<Gesture>(undefined);
  const isDown = useRef(false);

  const onPointerDown = (event: PointerEvent) => {
    if (!event.isPrimary || event.button !== 0) return;
    const [x, y, at] = [event.clientX, event.clientY, performance.now()];
    const left = new AbortController();
    const pressTo = (to: globalThis.PointerEvent): Gesture => ({
      ms: performance.now() - at,
      right: to.clientX - x,
      down: to.clientY - y,
    });
    // Listens on the window: pointer capture would redirect the click from the link to the slide.
    const end = (to: globalThis.PointerEvent) => {
      left.abort();
      isDown.current = false;
      last.current = pressTo(to);
      follow(stage.current, 0);
      hold(false);
      if (to.type === "pointercancel") return;
      const swipe = swipeStep(last.current, isRightToLeft);
      if (swipe === "close") onClose();
      else if (swipe) go(swipe);
    };
    const move = (to: globalThis.PointerEvent) => {
      const { right, down } = pressTo(to);
      follow(stage.current, down > Math.abs(right) ? down : 0);
    };
    addEventListener("pointerup", end, { signal: left.signal });
    addEventListener("pointercancel", end, { signal: left.signal });
    addEventListener("pointermove", move, { signal: left.signal });
    isDown.current = true;
    hold(true);
  };

  /** Suppresses the click after a long press or a swipe; keeps keyboard clicks. */
  const onClickCapture = (event: MouseEvent) => {
    if (event.detail === 0 || !last.current || isTap(last.current)) return;
    event.preventDefault();
    event.stopPropagation();
  };

  const onClick = (event: MouseEvent<HTMLElement>) => {
    if (event.target instanceof Element && event.target.closest("a, button")) return;
    const { left, width } = event.currentTarget.getBoundingClientRect();
    go(tapStep((event.clientX - left) / width, isRightToLeft));
  };

  const onContextMenu = (event: MouseEvent) => {
    if (isDown.current) event.preventDefault();
  };

  return { onPointerDown, onClickCapture, onClick, onContextMenu };
}

function follow(stage: HTMLElement | null, pixels: number) {
  if (stage) stage.style.translate = pixels > 0 ? `0 ${pixels}px` : "";
}
