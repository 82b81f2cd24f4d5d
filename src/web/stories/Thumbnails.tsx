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
  /** `stands`: the press came from no pointer, so whoever made it may not see what moves. */
  onOpen: (id: string, stands: boolean) => void;
}

/** Stories in a row, 72 × 100 each: what is not viewed yet has a thick teal border (spec O §2). */
export function Thumbnails({ thumbnails, isViewed, onOpen }: ThumbnailsProps) {
  return (
    <ul className={styles.row}>
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

/**
 * The title of a thumbnail: over 30 characters it is cut to 28 and an ellipsis (spec O §2). Code points are counted: in what
 * readers see as one letter, browsers and servers of different years do not agree.
 */
export function cutTitle(title: string): string {
  const characters = Array.from(title);
  if (characters.length <= thumbnailTitleLengthMax) return title;
  return `${characters.slice(0, thumbnailTitleCut).join("")}…`;
}
