import { expect, test } from "vitest";
import {
  askOf,
  copied,
  coverOf,
  draftOf,
  faultsOf,
  keyed,
  newSlide,
  newStory,
  saysSomething,
  shownOf,
  type StoryText,
} from "./storyDraft.ts";

const slide = {
  title: "Meadow",
  description: "",
  text: "from 0.0035",
  image: "",
  bg_color: "green",
} as const;
const said = {
  title: "Meadow is on sale",
  description: "",
  image: "/media/a.webp?v=7",
  thumb: "/media/a-thumb.webp?v=7",
  button_text: "Buy",
  link: "/en/dashboard",
  slides: [slide],
};

const withText = (language: "en" | "ru", text: Partial<StoryText>) => {
  const draft = newStory();
  return { ...draft, texts: { ...draft.texts, [language]: { ...draft.texts[language], ...text } } };
};
const never = () => false;

test("what was written comes back as it was, and a language that it lacks is empty", () => {
  const draft = draftOf({
    id: "7",
    is_critical: true,
    translations: [{ ...said, id: "7", lang: "en", is_critical: true }],
  });
  expect(draft.isCritical).toBe(true);
  const { button_text: buttontext, thumb: _, ...rest } = said;
  expect(askOf(draft.texts.en)).toEqual({ ...rest, buttontext });
  expect(saysSomething(draft.texts.ru)).toBe(false);
  expect(shownOf("en", draft.texts.en, true)).toMatchObject({
    ...rest,
    button_text: "Buy",
    is_critical: true,
  });
  expect(coverOf(draft.texts.en)).toMatchObject({ title: said.title, bg_color: "green" });
});

test("a copy has slides of its own", () => {
  const { en } = withText("en", { slides: [keyed(slide)] }).texts;
  expect(copied(en).slides[0]).toMatchObject(slide);
  expect(copied(en).slides[0]?.key).not.toBe(en.slides[0]?.key);
});

test("each language that says something needs a title and slides that say something", () => {
  const slides = [keyed(slide)];
  const empty = keyed(newSlide);
  expect(faultsOf(newStory(), never)).toEqual({ language: "en", title: true, slides: true });
  expect(faultsOf(withText("ru", { title: "Луг" }), never)).toEqual({ language: "ru", slides: true });
  expect(faultsOf(withText("ru", { slides }), never)).toEqual({ language: "ru", title: true });
  expect(faultsOf(withText("ru", { title: "Луг", slides: [...slides, empty] }), never)).toEqual({
    language: "ru",
    emptySlide: empty.key,
  });
  expect(faultsOf(withText("ru", { title: "Луг", slides }), never)).toBeUndefined();
});

test("a language that a story has stays in it: it cannot be emptied", () => {
  const draft = withText("ru", { title: "Луг", slides: [keyed(slide)] });
  expect(faultsOf(draft, (language) => language === "en")).toEqual({
    language: "en",
    title: true,
    slides: true,
  });
});
