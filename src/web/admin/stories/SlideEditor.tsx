import { ChevronLeft, ChevronRight, GalleryHorizontal, Plus, Trash2, X } from "lucide-react";
import { useState } from "react";
import { storySlidesMax } from "../../../contract/limits.ts";
import type { Language } from "../../../i18n/languages.ts";
import { useOfficeText } from "../../language.tsx";
import { ProgressSegments } from "../../stories/ProgressSegments.tsx";
import { Slide } from "../../stories/Slide.tsx";
import { ViewerFrame } from "../../stories/ViewerFrame.tsx";
import { Button } from "../../ui/button/Button.tsx";
import { EmptyState } from "../../ui/feedback/EmptyState.tsx";
import { IconButton } from "../../ui/button/IconButton.tsx";
import styles from "./SlideEditor.module.css";
import { SlideFields } from "./SlideFields.tsx";
import { keyed, newSlide } from "./storyDraft.ts";
import type { StoryEditor } from "./useStoryEditor.ts";

interface SlideEditorProps {
  editor: StoryEditor;
  language: Language;
  onClose: () => void;
}

export function SlideEditor({ editor, language, onClose }: SlideEditorProps) {
  const t = useOfficeText();
  const { slides } = editor.draft.texts[language];
  const [wanted, setAt] = useState(0);
  const at = Math.max(0, Math.min(wanted, slides.length - 1));
  const slide = slides[at];
  const add = () => {
    const title = t("editor.slide.named", { number: slides.length + 1 });
    editor.write(language, (text) => ({ slides: [...text.slides, keyed({ ...newSlide, title })] }));
    setAt(slides.length);
  };
  const remove = () =>
    editor.write(language, (text) => ({ slides: text.slides.filter(({ key }) => key !== slide?.key) }));
  return (
    <ViewerFrame label={t("editor.slides.full")} onClose={onClose}>
      <div className={styles.editor}>
        <div className={styles.head}>
          <ProgressSegments count={slides.length} at={at} turn={at} isRunning={false} />
          <Bar at={at} count={slides.length} onGo={setAt} onAdd={add} onRemove={remove} onClose={onClose} />
        </div>
        {slide ? (
          <div className={styles.body}>
            <div className={styles.stage}>
              <Slide slide={slide} className={styles.slide} />
            </div>
            <div className={styles.panel}>
              <SlideFields
                key={slide.key}
                language={language}
                slide={slide}
                onChange={(changed) => editor.writeSlide(language, slide.key, changed)}
              />
            </div>
          </div>
        ) : (
          <div className={styles.none}>
            <EmptyState icon={<GalleryHorizontal aria-hidden size={22} />} title={t("editor.slides.none")} />
          </div>
        )}
      </div>
    </ViewerFrame>
  );
}

interface BarProps {
  at: number;
  count: number;
  onGo: (at: number) => void;
  onAdd: () => void;
  onRemove: () => void;
  onClose: () => void;
}

function Bar({ at, count, onGo, onAdd, onRemove, onClose }: BarProps) {
  const t = useOfficeText();
  return (
    <div className={styles.bar}>
      <IconButton
        label={t("editor.slide.previous")}
        icon={<ChevronLeft aria-hidden data-mirrored size={20} />}
        disabled={at === 0}
        onClick={() => onGo(at - 1)}
      />
      <p aria-live="polite" className={styles.place}>
        {count > 0 && t("editor.slide.place", { number: at + 1, total: count })}
      </p>
      <IconButton
        label={t("editor.slide.next")}
        icon={<ChevronRight aria-hidden data-mirrored size={20} />}
        disabled={at >= count - 1}
        onClick={() => onGo(at + 1)}
      />
      <Button
        tone="secondary"
        size="small"
        disabled={count >= storySlidesMax}
        icon={<Plus aria-hidden size={16} />}
        onClick={onAdd}
      >
        {t("editor.slide.add")}
      </Button>
      {count > 0 && (
        <Button tone="secondary" size="small" icon={<Trash2 aria-hidden size={16} />} onClick={onRemove}>
          {t("editor.slide.delete")}
        </Button>
      )}
      <IconButton
        data-autofocus
        className={styles.close}
        label={t("ui.close")}
        icon={<X aria-hidden size={20} />}
        onClick={onClose}
      />
    </div>
  );
}
