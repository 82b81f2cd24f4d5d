import { type Language, languageCodes } from "../../../i18n/languages.ts";
import type { Answer } from "../../api.ts";
import type { SlideShown } from "../../stories/Slide.tsx";

/** A story in one language, as it is read. */
export type StoryShown = Extract<Answer<"storyList">, { ok: true }>["data"]["stories"][number];
export type WrittenStory = Extract<Answer<"readStory">, { ok: true }>["data"]["story"];

/** A slide as it stands in the fields. */
export interface SlideDraft extends SlideShown {
  /** Tells it from the others wherever it is moved; known to this page alone. */
  key: number;
}

/** A story in one language, as it stands in the fields. */
export interface StoryText {
  title: string;
  description: string;
  image: string;
  buttonText: string;
  link: string;
  slides: readonly SlideDraft[];
}

/** A story as it stands in the fields. */
export interface StoryDraft {
  isCritical: boolean;
  texts: Record<Language, StoryText>;
}

const each = <Value>(of: (language: Language) => Value): Record<Language, Value> =>
  Object.fromEntries(languageCodes.map((language) => [language, of(language)])) as Record<Language, Value>;

const nothing: StoryText = { title: "", description: "", image: "", buttonText: "", link: "", slides: [] };

export const newSlide: SlideShown = { title: "", description: "", text: "", image: "", bg_color: "blue" };

export const newStory = (): StoryDraft => ({ isCritical: false, texts: each(() => nothing) });

let lastKey = 0;
export const keyed = (slide: SlideShown): SlideDraft => ({ ...slide, key: ++lastKey });

/** What was written, put into the fields. */
export function draftOf({ is_critical, translations }: WrittenStory): StoryDraft {
  const textIn = (language: Language): StoryText => {
    const own = translations.find(({ lang }) => lang === language);
    if (!own) return nothing;
    const { title, description, image, button_text: buttonText, link, slides } = own;
    return { title, description, image, buttonText, link, slides: slides.map(keyed) };
  };
  return { isCritical: is_critical, texts: each(textIn) };
}

/** The words and slides of another language, to be translated. */
export const copied = (text: StoryText): StoryText => ({ ...text, slides: text.slides.map(keyed) });

export const isEmptySlide = ({ title, text }: SlideShown): boolean =>
  title.trim() === "" && text.trim() === "";

/** Has anything been written that would be lost? */
export const isTouched = ({ title, description, text, image }: SlideShown): boolean =>
  [title, description, text, image].some((written) => written.trim() !== "");

export const saysSomething = ({ slides, ...words }: StoryText): boolean =>
  slides.length > 0 || Object.values(words).some((word) => word.trim() !== "");

/** What the calls are given for one language. */
export function askOf({ title, description, image, buttonText, link, slides }: StoryText) {
  return {
    title: title.trim(),
    description: description.trim(),
    image: image.trim(),
    buttontext: buttonText.trim(),
    link: link.trim(),
    slides: slides.map(({ title: named, description: said, text, image: path, bg_color }) => ({
      title: named.trim(),
      description: said.trim(),
      text: text.trim(),
      image: path.trim(),
      bg_color,
    })),
  };
}

/** What is wrong in one language. */
export interface StoryFaults {
  language: Language;
  title?: true;
  /** There is no slide. */
  slides?: true;
  /** The first one that says nothing. */
  emptySlide?: number;
}

/** The first language that could not be sent as it is; `had` are those that the story has already, which stay in it. */
export function faultsOf(
  { texts }: StoryDraft,
  had: (language: Language) => boolean,
): StoryFaults | undefined {
  const sent = languageCodes.filter((language) => saysSomething(texts[language]) || had(language));
  // Without any language there is nothing to send: English is what is lacking.
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

/** The story as readers would see it. */
export function shownOf(lang: Language, text: StoryText, isCritical: boolean): StoryShown {
  const { buttontext, ...said } = askOf(text);
  return { ...said, id: "0", lang, thumb: said.image, button_text: buttontext, is_critical: isCritical };
}

/** What stands on the small card: the story itself over the ground of its first slide. */
export const coverOf = ({ title, description, image, slides }: StoryText): SlideShown => ({
  title,
  description,
  text: "",
  image: image.trim(),
  bg_color: slides[0]?.bg_color ?? newSlide.bg_color,
});
