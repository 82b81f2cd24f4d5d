import { CopyPlus, Play } from "lucide-react";
import { type FormEvent, type RefObject, useState } from "react";
import {
  storyButtonLengthMax,
  storyDescriptionLengthMax,
  storyTitleLengthMax,
  urlLengthMax,
} from "../../../contract/limits.ts";
import { languages } from "../../../i18n/languages.ts";
import { useOfficeText } from "../../language.tsx";
import { stored, useStored } from "../../stored.ts";
import { Slide } from "../../stories/Slide.tsx";
import { StoryViewer } from "../../stories/StoryViewer.tsx";
import { ViewerFrame } from "../../stories/ViewerFrame.tsx";
import { Button } from "../../ui/button/Button.tsx";
import { Card } from "../../ui/layout/Card.tsx";
import { TextField, verbatim } from "../../ui/form/Input.tsx";
import { Notice } from "../../ui/feedback/Notice.tsx";
import styles from "../Admin.module.css";
import { FailureAlert } from "../FailureAlert.tsx";
import { FormActions } from "../FormActions.tsx";
import { inLanguageOf, LanguageTabs } from "../LanguageTabs.tsx";
import { useEditorRefusalText } from "../editorRefusalText.ts";
import { ImageField } from "./ImageField.tsx";
import { SlideList } from "./SlideList.tsx";
import { copied, coverOf, saysSomething, shownOf } from "./storyDraft.ts";
import type { StoryEditor } from "./useStoryEditor.ts";

interface StoryFormProps {
  editor: StoryEditor;
  isSaving: boolean;
  heading: RefObject<HTMLHeadingElement | null>;
  onSave: () => Promise<void>;
  onRemove: (id: string) => void;
  onFinish: () => void;
}

export function StoryForm({ editor, isSaving, heading, onSave, onRemove, onFinish }: StoryFormProps) {
  const t = useOfficeText();
  const [language] = useStored(stored.activeLang);
  const { editing, draft } = editor;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void onSave();
  };
  return (
    <Card aria-labelledby="story-form">
      <form noValidate onSubmit={submit} className={styles.form}>
        <h2 id="story-form" ref={heading} tabIndex={-1} className={styles.heading}>
          {editing === undefined ? t("editor.story.new") : t("editor.story.edit", { id: editing })}
        </h2>
        <label className={styles.check}>
          <input
            type="checkbox"
            checked={draft.isCritical}
            onChange={(event) => editor.markCritical(event.target.checked)}
          />
          <span>
            {t("editor.story.critical")}
            <span className={styles.note}>{t("editor.story.critical.hint")}</span>
          </span>
        </label>
        <LanguageTabs isWritten={(one) => saysSomething(draft.texts[one])}>
          {/* The key resets uploads and open parts when the language changes. */}
          <div key={language} className={styles.form}>
            <CopyEnglish editor={editor} />
            <div className={styles.columns}>
              <TextFields editor={editor} />
              <Preview editor={editor} />
            </div>
            <SlideList key={`${editing} ${language}`} editor={editor} language={language} />
          </div>
        </LanguageTabs>
        <FailureAlert failure={editor.failure} />
        <NotTaken editor={editor} />
        <FormActions
          editing={editing}
          isSaving={isSaving}
          save={t("editor.story.publish")}
          remove={t("editor.story.delete")}
          onRemove={onRemove}
          onFinish={onFinish}
        />
      </form>
    </Card>
  );
}

/** Copies the English text into an empty language; readers of an empty language see English. */
function CopyEnglish({ editor }: { editor: StoryEditor }) {
  const t = useOfficeText();
  const [language] = useStored(stored.activeLang);
  const { texts } = editor.draft;
  if (language === "en" || saysSomething(texts[language]) || !saysSomething(texts.en)) return null;
  return (
    <Notice
      action={
        <Button
          tone="secondary"
          size="small"
          className={styles.begin}
          icon={<CopyPlus aria-hidden size={16} />}
          onClick={() => editor.write(language, () => copied(editor.draft.texts.en))}
        >
          {t("editor.story.copy")}
        </Button>
      }
    >
      {t("editor.story.fallback")}
    </Notice>
  );
}

function TextFields({ editor }: { editor: StoryEditor }) {
  const t = useOfficeText();
  const [language] = useStored(stored.activeLang);
  const text = editor.draft.texts[language];
  const lacksTitle = editor.faults?.language === language && editor.faults.title;
  return (
    <div className={styles.form}>
      <TextField
        {...inLanguageOf(language)}
        label={t("editor.title")}
        error={lacksTitle ? t("editor.refusal.title") : undefined}
        autoComplete="off"
        maxLength={storyTitleLengthMax}
        value={text.title}
        onChange={({ target }) => editor.write(language, () => ({ title: target.value }))}
      />
      <TextField
        {...inLanguageOf(language)}
        label={t("editor.story.description")}
        autoComplete="off"
        maxLength={storyDescriptionLengthMax}
        value={text.description}
        onChange={({ target }) => editor.write(language, () => ({ description: target.value }))}
      />
      <ImageField
        label={t("editor.story.image")}
        value={text.image}
        onChange={(image) => editor.write(language, () => ({ image }))}
      />
      <div className={styles.threeColumns}>
        <TextField
          {...inLanguageOf(language)}
          label={t("editor.story.button")}
          hint={t("editor.story.button.hint")}
          autoComplete="off"
          maxLength={storyButtonLengthMax}
          value={text.buttonText}
          onChange={({ target }) => editor.write(language, () => ({ buttonText: target.value }))}
        />
        <TextField
          label={t("editor.story.link")}
          hint={t("editor.story.link.hint")}
          {...verbatim}
          inputMode="url"
          maxLength={urlLengthMax}
          value={text.link}
          onChange={({ target }) => editor.write(language, () => ({ link: target.value }))}
        />
      </div>
    </div>
  );
}

function Preview({ editor }: { editor: StoryEditor }) {
  const t = useOfficeText();
  const [language] = useStored(stored.activeLang);
  const text = editor.draft.texts[language];
  // `stands`: opened by the keyboard, so nothing advances by itself.
  const [opened, setOpened] = useState<{ stands: boolean }>();
  const close = () => setOpened(undefined);
  const story = shownOf(language, text, editor.draft.isCritical);
  return (
    <figure className={styles.figure}>
      <Slide slide={coverOf(text)} className={styles.card} />
      <figcaption>{t("editor.preview")}</figcaption>
      <Button
        tone="secondary"
        size="small"
        disabled={text.slides.length === 0}
        icon={<Play aria-hidden size={16} />}
        onClick={(event) => setOpened({ stands: event.detail === 0 })}
      >
        {t("editor.preview.full")}
      </Button>
      {opened && (
        <ViewerFrame label={t("editor.preview.full")} onClose={close}>
          <StoryViewer
            stories={[story]}
            firstId={story.id}
            stands={opened.stands}
            onViewed={() => undefined}
            onClose={close}
          />
        </ViewerFrame>
      )}
    </figure>
  );
}

/** The languages that the server refused, with the reason; the others are published. */
function NotTaken({ editor: { notTaken } }: { editor: StoryEditor }) {
  const t = useOfficeText();
  const refusalText = useEditorRefusalText();
  if (notTaken.length === 0) return null;
  return (
    <Notice tone="bad" title={t("editor.story.notTaken")}>
      <ul>
        {notTaken.map(({ language, refused }) => (
          <li key={language}>
            <bdi lang={language}>{languages[language].name}</bdi>
            {": "}
            {refusalText(refused)}
          </li>
        ))}
      </ul>
    </Notice>
  );
}
