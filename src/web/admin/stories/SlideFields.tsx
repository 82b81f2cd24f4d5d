import { useId } from "react";
import {
  storyDescriptionLengthMax,
  storyTextLengthMax,
  storyTitleLengthMax,
} from "../../../contract/limits.ts";
import type { Language } from "../../../i18n/languages.ts";
import { useOfficeText } from "../../language.tsx";
import gradientStyles from "../../stories/gradients.module.css";
import type { SlideShown } from "../../stories/Slide.tsx";
import { TextAreaField } from "../../ui/form/TextAreaField.tsx";
import { classNames } from "../../ui/layout/classNames.ts";
import { VisuallyHidden } from "../../ui/layout/VisuallyHidden.tsx";
import { TextField } from "../../ui/form/Input.tsx";
import styles from "../Admin.module.css";
import { inLanguageOf } from "../LanguageTabs.tsx";
import { ImageField } from "./ImageField.tsx";
import type { OfficeKey } from "../../../i18n/t.ts";

type Name = SlideShown["bg_color"];

// A copy of the names, because the contract's schemas stay on the server; a missing one does not compile.
const backgroundTexts: Record<Name, OfficeKey> = {
  white: "editor.ground.white",
  blue: "editor.ground.blue",
  purple: "editor.ground.purple",
  orange: "editor.ground.orange",
  green: "editor.ground.green",
  red: "editor.ground.red",
  turquoise: "editor.ground.turquoise",
  grey: "editor.ground.grey",
  "purple-blue": "editor.ground.purpleBlue",
  black: "editor.ground.black",
};

/** The ten gradients in the order of spec O §2. */
const backgrounds = Object.keys(backgroundTexts) as Name[];

interface SlideFieldsProps {
  language: Language;
  slide: SlideShown;
  error?: string | undefined;
  onChange: (changed: Partial<SlideShown>) => void;
}

export function SlideFields({ language, slide, error, onChange }: SlideFieldsProps) {
  const t = useOfficeText();
  return (
    <div className={styles.form}>
      <TextField
        {...inLanguageOf(language)}
        label={t("editor.slide.title")}
        error={error}
        autoComplete="off"
        maxLength={storyTitleLengthMax}
        value={slide.title}
        onChange={(event) => onChange({ title: event.target.value })}
      />
      <TextField
        {...inLanguageOf(language)}
        label={t("editor.slide.description")}
        autoComplete="off"
        maxLength={storyDescriptionLengthMax}
        value={slide.description}
        onChange={(event) => onChange({ description: event.target.value })}
      />
      <TextAreaField
        {...inLanguageOf(language)}
        label={t("editor.slide.text")}
        rows={3}
        maxLength={storyTextLengthMax}
        value={slide.text}
        onChange={(event) => onChange({ text: event.target.value })}
      />
      <ImageField
        label={t("editor.slide.image")}
        value={slide.image}
        onChange={(image) => onChange({ image })}
      />
      <Backgrounds chosen={slide.bg_color} onChoose={(bg_color) => onChange({ bg_color })} />
    </div>
  );
}

interface BackgroundsProps {
  chosen: SlideShown["bg_color"];
  onChoose: (name: SlideShown["bg_color"]) => void;
}

function Backgrounds({ chosen, onChoose }: BackgroundsProps) {
  const t = useOfficeText();
  const group = useId();
  return (
    <fieldset className={styles.backgrounds}>
      <legend>
        {t("editor.slide.background")} <span className={styles.chosen}>{t(backgroundTexts[chosen])}</span>
      </legend>
      {backgrounds.map((name) => (
        <label
          key={name}
          title={t(backgroundTexts[name])}
          className={classNames(styles.background, gradientStyles[name])}
        >
          <input
            type="radio"
            name={group}
            checked={name === chosen}
            className={styles.radio}
            onChange={() => onChoose(name)}
          />
          <VisuallyHidden>{t(backgroundTexts[name])}</VisuallyHidden>
        </label>
      ))}
    </fieldset>
  );
}
