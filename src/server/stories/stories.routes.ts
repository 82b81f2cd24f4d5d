import type { z } from "zod/mini";
import type { Asked } from "../../contract/endpoint.ts";
import {
  addImage,
  addStory,
  changeStory,
  markStory,
  moveStory,
  readStory,
  removeStory,
  storyList,
  type Story,
  viewedStories,
  viewStory,
} from "../../contract/stories.ts";
import { defaultLanguage } from "../../i18n/languages.ts";
import { answer, type Caller, Limited, type Route } from "../platform/http/answer.ts";
import { now } from "../platform/clock.ts";
import type { Limits } from "../platform/http/rate-limits.ts";
import { isLink, nameOf, pathOf, thumbPathOf } from "./stories.links.ts";
import type { Item, Slide, Stories, Translation } from "./stories.ts";

export function storyRoutes({ limits, stories }: Services): Route[] {
  return [...readersRoutes(stories), ...writersRoutes(stories), pictureRoute(stories, limits)];
}

interface Services {
  readonly limits: Limits;
  readonly stories: Stories;
}

function readersRoutes(stories: Stories): Route[] {
  return [
    answer(storyList, async ({ asked }) => ({
      stories: (await stories.list(asked.lang ?? defaultLanguage, asked.all)).map(onWire),
    })),

    answer(viewedStories, async ({ asked, caller, refuse }) => {
      if (asked.userId !== caller.userId) return refuse("token");
      return { viewed: (await stories.viewed(caller.userId)).map(String) };
    }),

    answer(viewStory, async ({ asked, caller, refuse }) => {
      if (asked.userId !== caller.userId) return refuse("token");
      const outcome = await stories.view(caller.userId, asked.storyId, now());
      return outcome === "no story" ? refuse(outcome) : {};
    }),
  ];
}

function writersRoutes(stories: Stories): Route[] {
  return [
    answer(readStory, async ({ asked, refuse }) => {
      const found = await stories.find(asked.id);
      if (!found) return refuse("no story");
      const { id, isCritical } = found;
      const translations = found.translations.map((translation) => onWire({ id, isCritical, translation }));
      return { story: { id: String(id), is_critical: isCritical, translations } };
    }),

    answer(addStory, async ({ asked, caller, refuse }) => {
      const translation = translationIn(asked);
      if (typeof translation === "string") return refuse(translation);
      const { storyId, is_critical: isCritical } = asked;
      if (storyId === undefined) {
        const added = await stories.add({ translation, isCritical }, handOf(caller));
        return typeof added === "string" ? refuse(added) : { storyId: String(added) };
      }
      const outcome = await stories.write(storyId, { translation, isCritical }, handOf(caller));
      return outcome === "written" ? { storyId: String(storyId) } : refuse(outcome);
    }),

    answer(changeStory, async ({ asked, caller, refuse }) => {
      const translation = translationIn(asked);
      if (typeof translation === "string") return refuse(translation);
      const outcome = await stories.write(asked.id, { translation }, handOf(caller));
      return outcome === "written" ? {} : refuse(outcome);
    }),

    answer(moveStory, async ({ asked, caller, refuse }) => {
      const outcome = await stories.move(asked.storyId, asked.direction, handOf(caller));
      return outcome === "no story" ? refuse(outcome) : {};
    }),

    answer(markStory, async ({ asked, caller, refuse }) => {
      const outcome = await stories.mark(asked.id, asked.is_critical, handOf(caller));
      return outcome === "no story" ? refuse(outcome) : {};
    }),

    answer(removeStory, async ({ asked, caller, refuse }) => {
      const outcome = await stories.remove(asked.storyId, handOf(caller));
      return outcome === "no story" ? refuse(outcome) : {};
    }),
  ];
}

const pictureRoute = ({ pictures }: Stories, limits: Limits) =>
  answer(addImage, async ({ caller, request, refuse }) => {
    const file = request.file;
    if (!file) return refuse("picture type");
    const hand = handOf(caller);
    const who = { account: String(caller.userId), address: request.address };
    const wait = await limits.take("pictures", who, hand.at);
    if (wait !== undefined) return new Limited(wait);
    const picture = await pictures.bring(file, hand);
    if (picture === "picture") return refuse(picture);
    return { image: pathOf(picture.name), width: picture.width, height: picture.height };
  });

const handOf = ({ userId }: Caller) => ({ by: `user ${userId}`, at: now() });

export function onWire({ id, isCritical, translation }: Item): z.output<typeof Story> {
  const { language, title, description, picture, buttonText, link } = translation;
  return {
    id: String(id),
    lang: language,
    title,
    description,
    image: pathOf(picture, id),
    thumb: thumbPathOf(picture, id),
    button_text: buttonText,
    link,
    slides: translation.slides.map((slide) => ({
      title: slide.title,
      description: slide.description,
      text: slide.text,
      image: pathOf(slide.picture, id),
      bg_color: slide.background,
    })),
    is_critical: isCritical,
  };
}

type StoryAsk = Pick<
  Asked<typeof changeStory>,
  "lang" | "title" | "description" | "image" | "buttontext" | "link" | "slides"
>;

/** Validates a story; answers the name of a wrong field. */
function translationIn(asked: StoryAsk): Translation | "image" | "link" | "slides" {
  const { lang: language, title, description = "", image = "", buttontext: buttonText = "" } = asked;
  const picture = nameOf(image);
  if (picture === undefined) return "image";
  const link = asked.link ?? "";
  if (link !== "" && !isLink(link)) return "link";
  const slides: Slide[] = [];
  for (const slide of asked.slides) {
    const name = nameOf(slide.image ?? "");
    if (name === undefined) return "slides";
    const { title: head, description: line = "", text, bg_color: background } = slide;
    slides.push({ title: head, description: line, text, picture: name, background });
  }
  return { language, title, description, picture, buttonText, link, slides };
}
