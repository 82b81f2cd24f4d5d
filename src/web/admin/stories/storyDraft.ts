import { inEach, type Language, languageCodes } from "../../../i18n/languages.ts";
import type { Answer } from "../../api.ts";
import type { SlideShown } from "../../stories/Slide.tsx";

export type StoryShown = Extract<Answer<"storyList">, { ok: true }>["data"]["stories"][number];
export type WrittenStory = Extract<Answer<"readStory">, { ok: true }>["data"]["story"];

export interface SlideDraft extends SlideShown {
  /** Identifies the slide when it moves; local to this page. */
  key: number;
}

export interface StoryText {
  title: string;
  description: string;
  image: string;
  buttonText: string;
  link: string;
  slides: readonly SlideDraft[];
}

export interface StoryDraft {
  isCritical: boolean;
  texts: Record<Language, StoryText>;
}

const nothing: StoryText = { title: "", description: "", image: "", buttonText: "", link: "", slides: [] };

export const newSlide: SlideShown = { title: "", description: "", text: "", image: "", bg_color: "blue" };

export const newStory = (): StoryDraft => ({ isCritical: false, texts: inEach(() => nothing) });

let lastKey = 0;
export const keyed = (slide: SlideShown): SlideDraft => ({ ...slide, key: ++lastKey });

export function draftOf({ is_critical, translations }: WrittenStory): StoryDraft {
  const textIn = (language: Language): StoryText => {
    const own = translations.find(({ lang }) => lang === language);
    if (!own) return nothing;
    const { title, description, image, button_text: buttonText, link, slides } = own;
    return { title, description, image, buttonText, link, slides: slides.map(keyed) };
  };
  return { isCritical: is_critical, texts: inEach(textIn) };
}

export const copied = (text: StoryText): StoryText => ({ ...text, slides: text.slides.map(keyed) });

export const isEmptySlide = ({ title, text }: SlideShown): boolean =>
  title.trim() === "" && text.trim() === "";

export const isTouched = ({ title, description, text, image }: SlideShown): boolean =>
  [title, description, text, image].some((written) => written.trim() !== "");

export const saysSomething = ({ slides, ...words }: StoryText): boolean =>
  slides.length > 0 || Object.values(words).some((word) => word.trim() !== "");

export function askOf({ title, description, image, buttonText, link, slides }: StoryText) {
  return {
    title: title.trim(),
    description: description.trim(),
    image: image.trim(),
    buttontext: buttonText.trim(),
    link: link.trim(),
    slides: slides.map(({ title: named, description: about, text, image: path, bg_color }) => ({
      title: named.trim(),
      description: about.trim(),
      text: text.trim(),
      image: path.trim(),
      bg_color,
    })),
  };
}

export interface StoryFaults {
  language: Language;
  title?: true;
  slides?: true;
  emptySlide?: number;
}

/** The first language that cannot be sent. `had`: languages that the story has already and keeps. */
export function faultsOf(
  { texts }: StoryDraft,
  had: (language: Language) => boolean,
): StoryFaults | undefined {
  const sent = languageCodes.filter((language) => saysSomething(texts[language]) || had(language));
  // Without any language, report English as missing.
  for (const language of sent.length > 0 ? sent : (["en"] as const)) {
    const { title, slides } = texts[language];
    const empty = slides.find(isEmptySlide);
    if (title.trim() !== "" && slides.length > 0 && !empty) continue;
    return {
      language,
      ...(title.trim() === "" && { title: true }),
      ...(slides.length === 0 && { slides: true }),
      ...(empty && { emptySlide: empty.key }),
    };
  }
  return undefined;
}

export function shownOf(lang: Language, text: StoryText, isCritical: boolean): StoryShown {
  const { buttontext, ...shown } = askOf(text);
  return { ...shown, id: "0", lang, thumb: shown.image, button_text: buttontext, is_critical: isCritical };
}

export const coverOf = ({ title, description, image, slides }: StoryText): SlideShown => ({
  title,
  description,
  text: "",
  image: image.trim(),
  bg_color: slides[0]?.bg_color ?? newSlide.bg_color,
});
