import type { FormEvent, RefObject } from "react";
import { newsLineLengthMax, newsLinesMax, newsTitleLengthMax } from "../../../contract/limits.ts";
import { useOfficeText } from "../../language.tsx";
import { stored, useStored } from "../../stored.ts";
import { TextAreaField } from "../../ui/form/TextAreaField.tsx";
import { Card } from "../../ui/layout/Card.tsx";
import { TextField } from "../../ui/form/Input.tsx";
import { SelectField } from "../../ui/form/Select.tsx";
import styles from "../Admin.module.css";
import { FailureAlert } from "../FailureAlert.tsx";
import { FormActions } from "../FormActions.tsx";
import { inLanguageOf, LanguageTabs } from "../LanguageTabs.tsx";
import { dated, importances, type NewsText, saysSomething } from "./newsDraft.ts";
import type { NewsEditor } from "./useNewsEditor.ts";

interface NewsFormProps {
  editor: NewsEditor;
  isSaving: boolean;
  heading: RefObject<HTMLHeadingElement | null>;
  onSave: () => Promise<void>;
  onRemove: (id: string) => void;
  onFinish: () => void;
}

/** The form of an announcement: place and day for all languages, texts for each one (spec O §2). */
export function NewsForm({ editor, isSaving, heading, onSave, onRemove, onFinish }: NewsFormProps) {
  const t = useOfficeText();
  const { editing } = editor;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void onSave();
  };
  return (
    <Card aria-labelledby="news-form">
      <form noValidate onSubmit={submit} className={styles.form}>
        <h2 id="news-form" ref={heading} tabIndex={-1} className={styles.heading}>
          {editing === undefined ? t("editor.news.new") : t("editor.news.edit", { id: editing })}
        </h2>
        <PlaceFields editor={editor} />
        <TextFields editor={editor} />
        <FailureAlert failure={editor.failure} />
        <FormActions
          editing={editing}
          isSaving={isSaving}
          save={t("editor.save")}
          remove={t("editor.news.delete")}
          onRemove={onRemove}
          onFinish={onFinish}
        />
      </form>
    </Card>
  );
}

function PlaceFields({ editor: { draft, faults, change } }: { editor: NewsEditor }) {
  const t = useOfficeText();
  const [language] = useStored(stored.activeLang);
  return (
    <div className={styles.threeColumns}>
      <TextField
        label={t("editor.news.priority")}
        hint={t("editor.news.priority.hint")}
        error={faults.priority && t("editor.news.priority.wrong")}
        inputMode="numeric"
        autoComplete="off"
        dir="ltr"
        value={draft.priority}
        onChange={(event) => change({ priority: event.target.value.trim() })}
      />
      <SelectField
        label={t("editor.news.importance")}
        value={draft.importance}
        onChange={({ target }) =>
          change({ importance: importances.find((one) => one === target.value) ?? "normal" })
        }
        choices={importances.map((value) => ({ value, label: t(`editor.importance.${value}`) }))}
      />
      <TextField
        type="date"
        label={t("editor.news.date")}
        hint={t("editor.news.date.hint")}
        value={draft.texts[language].date}
        onChange={(event) => change({ texts: dated(draft.texts, event.target.value) })}
      />
    </div>
  );
}

function TextFields({ editor: { draft, faults, change } }: { editor: NewsEditor }) {
  const t = useOfficeText();
  const [language] = useStored(stored.activeLang);
  const text = draft.texts[language];
  const write = (changed: Partial<NewsText>) =>
    change({ texts: { ...draft.texts, [language]: { ...text, ...changed } } });
  const tooMuch =
    faults.lines === language
      ? t("editor.news.lines.wrong", { lines: newsLinesMax, length: newsLineLengthMax })
      : undefined;
  return (
    <LanguageTabs isWritten={(one) => saysSomething(draft.texts[one])}>
      <div className={styles.form}>
        <TextField
          {...inLanguageOf(language)}
          label={t("editor.title")}
          error={faults.empty && t("editor.news.empty")}
          autoComplete="off"
          maxLength={newsTitleLengthMax}
          value={text.title}
          onChange={(event) => write({ title: event.target.value })}
        />
        <TextAreaField
          {...inLanguageOf(language)}
          label={t("editor.news.lines")}
          hint={t("editor.news.lines.hint")}
          error={tooMuch}
          rows={5}
          value={text.lines}
          onChange={(event) => write({ lines: event.target.value })}
        />
      </div>
    </LanguageTabs>
  );
}
