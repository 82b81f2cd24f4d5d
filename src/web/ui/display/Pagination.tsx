import { ChevronLeft, ChevronRight } from "lucide-react";
import { useText } from "../../language.tsx";
import { IconButton } from "../button/IconButton.tsx";
import { pageMarks, pagesAround } from "./pageNumbers.ts";
import styles from "./Pagination.module.css";

interface PaginationProps {
  page: number;
  pages: number;
  /** The maximum of numbers, instead of first, last and the current one with its neighbours. */
  shown?: number;
  onPage: (page: number) => void;
}

export function Pagination({ page, pages, shown, onPage }: PaginationProps) {
  const t = useText();
  if (pages <= 1) return null;
  const marks = shown === undefined ? pageMarks(page, pages) : pagesAround(page, pages, shown);
  return (
    <nav aria-label={t("ui.pager")} className={styles.pager}>
      <IconButton
        label={t("ui.pager.previous")}
        icon={<ChevronLeft aria-hidden data-mirrored size={18} />}
        disabled={page <= 1}
        onClick={() => onPage(page - 1)}
      />
      <ol className={styles.list}>
        {marks.map((mark, index) => (
          <li key={mark === "gap" ? `gap-${index}` : mark}>
            {mark === "gap" ? (
              <span className={styles.gap}>…</span>
            ) : (
              <button
                type="button"
                className={styles.number}
                aria-label={t("ui.pager.page", { page: mark })}
                aria-current={mark === page ? "page" : undefined}
                onClick={() => onPage(mark)}
              >
                {mark}
              </button>
            )}
          </li>
        ))}
      </ol>
      <IconButton
        label={t("ui.pager.next")}
        icon={<ChevronRight aria-hidden data-mirrored size={18} />}
        disabled={page >= pages}
        onClick={() => onPage(page + 1)}
      />
    </nav>
  );
}
