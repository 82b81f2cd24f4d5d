import { Maximize2, Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { storySlidesMax } from "../../../contract/limits.ts";
import type { Language } from "../../../i18n/languages.ts";
import { isolated } from "../../format.ts";
import { useOfficeText } from "../../language.tsx";
import { Slide } from "../../stories/Slide.tsx";
import { Button } from "../../ui/button/Button.tsx";
import { Disclosure } from "../../ui/layout/Disclosure.tsx";
import { Notice } from "../../ui/feedback/Notice.tsx";
import styles from "../Admin.module.css";
import { SlideEditor } from "./SlideEditor.tsx";
import { SlideFields } from "./SlideFields.tsx";
import { isEmptySlide, keyed, newSlide, type SlideDraft } from "./storyDraft.ts";
import type { StoryEditor } from "./useStoryEditor.ts";

interface SlideListProps {
  editor: StoryEditor;
  language: Language;
}

export function SlideList({ editor, language }: SlideListProps) {
  const t = useOfficeText();
  const { slides } = editor.draft.texts[language];
  const [isEditor, setEditor] = useState(false);
  const faults = editor.faults?.language === language ? editor.faults : undefined;
  return (
    <section aria-labelledby="slides" className={styles.form}>
      <div className={styles.head}>
        <h3 id="slides" className={styles.subheading}>
          {t("editor.slides", { count: slides.length })}
        </h3>
        <Button
          tone="secondary"
          size="small"
          icon={<Maximize2 aria-hidden size={16} />}
          onClick={() => setEditor(true)}
        >
          {t("editor.slides.full")}
        </Button>
      </div>
      {faults?.slides && <Notice tone="bad">{t("editor.slides.none")}</Notice>}
      {slides.length > 0 && (
        <ol className={styles.slides}>
          {slides.map((slide, at) => (
            <li key={slide.key}>
              <SlideItem
                editor={editor}
                language={language}
                slide={slide}
                number={at + 1}
                isFaulty={faults?.emptySlide === slide.key}
              />
            </li>
          ))}
        </ol>
      )}
      <AddSlide editor={editor} language={language} />
      {isEditor && <SlideEditor editor={editor} language={language} onClose={() => setEditor(false)} />}
    </section>
  );
}

interface SlideItemProps extends SlideListProps {
  slide: SlideDraft;
  number: number;
  isFaulty: boolean;
}

function SlideItem({ editor, language, slide, number, isFaulty }: SlideItemProps) {
  const t = useOfficeText();
  const [isOpen, setOpen] = useState(false);
  const name = slide.title.trim() || slide.text.trim().slice(0, 60) || t("editor.untitled");
  return (
    <Disclosure
      title={`${number}. ${isolated(name)}`}
      icon={<Slide slide={slide} className={styles.mini} />}
      open={isOpen || isFaulty}
      onToggle={setOpen}
    >
      {(isOpen || isFaulty) && (
        <>
          <SlideFields
            language={language}
            slide={slide}
            error={isFaulty ? t("editor.slide.empty") : undefined}
            onChange={(changed) => editor.writeSlide(language, slide.key, changed)}
          />
          <Button
            tone="ghost"
            size="small"
            className={styles.below}
            icon={<Trash2 aria-hidden size={16} />}
            onClick={() =>
              editor.write(language, ({ slides }) => ({
                slides: slides.filter(({ key }) => key !== slide.key),
              }))
            }
          >
            {t("editor.slide.delete")}
          </Button>
        </>
      )}
    </Disclosure>
  );
}

/** The form of a new slide with its preview; an empty slide is not added (spec O §5). */
function AddSlide({ editor, language }: SlideListProps) {
  const t = useOfficeText();
  const { adding, setAdding } = editor;
  const { slides } = editor.draft.texts[language];
  const isFull = slides.length >= storySlidesMax;
  const add = () => {
    if (isFull || isEmptySlide(adding)) return;
    const title = adding.title.trim() || t("editor.slide.named", { number: slides.length + 1 });
    editor.write(language, (text) => ({ slides: [...text.slides, keyed({ ...adding, title })] }));
    setAdding({ ...newSlide, bg_color: adding.bg_color });
  };
  return (
    <div role="group" aria-labelledby="add-slide" className={styles.adding}>
      <h4 id="add-slide" className={styles.subheading}>
        {t("editor.slide.new")}
      </h4>
      <div className={styles.columns}>
        <SlideFields
          language={language}
          slide={adding}
          onChange={(changed) => setAdding((now) => ({ ...now, ...changed }))}
        />
        <figure className={styles.figure}>
          <Slide slide={adding} className={styles.card} />
          <figcaption>{t("editor.preview")}</figcaption>
        </figure>
      </div>
      <Button
        tone="secondary"
        disabled={isFull}
        className={styles.begin}
        icon={<Plus aria-hidden size={16} />}
        onClick={add}
      >
        {t("editor.slide.add")}
      </Button>
      {isFull && <p className={styles.note}>{t("editor.slides.full20")}</p>}
    </div>
  );
}
