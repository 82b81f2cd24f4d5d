import { ArrowUpRight } from "lucide-react";
import { Link } from "wouter";
import { useLanguage } from "../language.tsx";
import { storyLink } from "./storyLink.ts";
import styles from "./StoryButton.module.css";
import type { StoryShown } from "./useThumbnails.ts";

export function StoryButton({ story, onLeave }: { story: StoryShown; onLeave: () => void }) {
  const leads = storyLink(story.link, useLanguage());
  const words = story.button_text.trim();
  if (leads === undefined || words === "") return null;
  if (!leads.isOutside) {
    return (
      <Link href={leads.href} className={styles.button} dir="auto" draggable={false} onClick={onLeave}>
        {words}
      </Link>
    );
  }
  return (
    <a
      href={leads.href}
      target="_blank"
      rel="noopener noreferrer"
      className={styles.button}
      dir="auto"
      draggable={false}
    >
      {words}
      <ArrowUpRight aria-hidden data-mirrored className={styles.out} />
    </a>
  );
}
