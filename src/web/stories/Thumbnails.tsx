import type { Thumbnail } from "../../contract/thumbnails.ts";
import { useText } from "../language.tsx";
import { classNames } from "../ui/layout/classNames.ts";
import { VisuallyHidden } from "../ui/layout/VisuallyHidden.tsx";
import gradients from "./gradients.module.css";
import styles from "./Thumbnails.module.css";
import { thumbnailTitleCut, thumbnailTitleLengthMax } from "../../contract/limits.ts";

interface ThumbnailsProps {
  thumbnails: readonly Thumbnail[];
  isViewed: (id: string) => boolean;
  /** `stands`: opened without a pointer, so nothing advances by itself. */
  onOpen: (id: string, stands: boolean) => void;
  className?: string | undefined;
}

/** Thumbnails of 72 × 100; unviewed ones have a thick teal border (spec O §2). */
export function Thumbnails({ thumbnails, isViewed, onOpen, className }: ThumbnailsProps) {
  return (
    <ul data-folds={className && true} className={classNames(styles.row, className)}>
      {thumbnails.map((one) => (
        <li key={one.id}>
          <ThumbnailButton thumbnail={one} isViewed={isViewed(one.id)} onOpen={onOpen} />
        </li>
      ))}
    </ul>
  );
}

interface OneProps extends Pick<ThumbnailsProps, "onOpen"> {
  thumbnail: Thumbnail;
  isViewed: boolean;
}

function ThumbnailButton({ thumbnail, isViewed, onOpen }: OneProps) {
  const t = useText();
  const { id, title, image, bg_color } = thumbnail;
  const cut = cutTitle(title);
  return (
    <button
      type="button"
      title={cut === title ? undefined : title}
      className={styles.thumbnail}
      data-viewed={isViewed}
      onClick={(event) => onOpen(id, event.detail === 0)}
    >
      <span
        aria-hidden
        className={classNames(styles.face, gradients[bg_color])}
        data-picture={image !== "" || undefined}
      >
        {image !== "" && (
          <img src={image} alt="" width={64} height={92} loading="lazy" className={styles.picture} />
        )}
        <span dir="auto" className={styles.title}>
          {cut}
        </span>
      </span>
      <VisuallyHidden>{t(isViewed ? "stories.viewed" : "stories.new", { title })}</VisuallyHidden>
    </button>
  );
}

/** Cuts a title over 30 code points to 28 and an ellipsis (spec O §2); graphemes differ between browsers and servers. */
export function cutTitle(title: string): string {
  const characters = Array.from(title);
  if (characters.length <= thumbnailTitleLengthMax) return title;
  return `${characters.slice(0, thumbnailTitleCut).join("")}…`;
}
