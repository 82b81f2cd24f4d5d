import { type ReactNode, useLayoutEffect, useRef, useState } from "react";
import type { gradients as names } from "../../contract/stories.ts";
import { classNames } from "../ui/layout/classNames.ts";
import gradients from "./gradients.module.css";
import styles from "./Slide.module.css";

/** The content of a slide (spec O §3); `image` is empty without a picture. */
export interface SlideShown {
  title: string;
  description: string;
  text: string;
  image: string;
  bg_color: (typeof names)[number];
}

interface SlideProps {
  slide: SlideShown;
  children?: ReactNode;
  className?: string | undefined;
  /** Scrolls long text; without it the text is cut, as in a preview. */
  scrolls?: boolean;
}

/** A slide that scales with its width, so that a preview looks like the full screen. Shows the gradient without the picture. */
export function Slide({ slide, children, className, scrolls = false }: SlideProps) {
  const words = useRef<HTMLDivElement>(null);
  const [isLong, setLong] = useState(false);
  // Scrollable text must be reachable by the keyboard; only the browser knows its height.
  useLayoutEffect(() => {
    const box = words.current;
    if (!box) return;
    box.scrollTop = 0;
    setLong(scrolls && box.scrollHeight > box.clientHeight + 1);
  }, [scrolls, slide]);
  const hasPicture = slide.image !== "";
  return (
    <div
      className={classNames(styles.slide, gradients[slide.bg_color], className)}
      data-picture={hasPicture || undefined}
    >
      {hasPicture && (
        <img key={slide.image} src={slide.image} alt="" draggable={false} className={styles.picture} />
      )}
      <div
        ref={words}
        className={classNames(styles.words, scrolls && styles.scrolls)}
        {...(isLong && { tabIndex: 0, role: "group", "aria-label": slide.title || slide.text.slice(0, 80) })}
      >
        <div className={styles.content}>
          <SlideText as={styles.title} text={slide.title} />
          <SlideText as={styles.description} text={slide.description} />
          <SlideText as={styles.text} text={slide.text} />
          {children}
        </div>
      </div>
    </div>
  );
}

function SlideText({ as, text }: { as: string | undefined; text: string }) {
  if (text.trim() === "") return null;
  return (
    <p dir="auto" className={as}>
      {text}
    </p>
  );
}
