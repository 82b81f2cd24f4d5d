import * as z from "zod/mini";
import { languageCodes } from "../i18n/languages.ts";
import { endpoint } from "./endpoint.ts";
import { bounded, field, flag, flagged, id, IdText, optional, textOf, UserId, wireId } from "./fields.ts";
import * as limits from "./limits.ts";
import { All, kept, Lang, LangGiven, listed, moves } from "./written.ts";

/** Backgrounds of a slide (spec O §2); the pages know the colours. */
export const gradients = [
  "white",
  "blue",
  "purple",
  "orange",
  "green",
  "red",
  "turquoise",
  "grey",
  "purple-blue",
  "black",
] as const;

/** The path of a picture; only the server knows whether it exists. */
const image = kept(limits.urlLengthMax);

/** A slide needs a title or a text (spec O §5). */
const Slide = z
  .object({
    title: kept(limits.storyTitleLengthMax),
    description: z.optional(kept(limits.storyDescriptionLengthMax)),
    text: kept(limits.storyTextLengthMax),
    image: z.optional(image),
    bg_color: z.literal(gradients),
  })
  .check(z.refine(({ title, text }) => title.trim() !== "" || text.trim() !== "", "title or text"));

const StoryId = field(wireId, "no story", "Id of the story", id);
const StoryIdOptional = optional(
  wireId,
  "no story",
  "The story that gets another language; a new one if omitted",
  id,
);
const Title = field(
  bounded(limits.storyTitleLengthMax),
  "title",
  "Title of the story",
  textOf(limits.storyTitleLengthMax),
);
const Description = optional(
  kept(limits.storyDescriptionLengthMax),
  "description",
  "A line next to the title",
  textOf(limits.storyDescriptionLengthMax),
);
const Image = optional(
  image,
  "image",
  "The picture of the story: the path that /api/admin/stories/image returned",
  textOf(limits.urlLengthMax),
);
const ButtonText = optional(
  kept(limits.storyButtonLengthMax),
  "buttontext",
  "Text of its button; without it there is no button",
  textOf(limits.storyButtonLengthMax),
);
const Link = optional(
  kept(limits.urlLengthMax),
  "link",
  "Where its button leads: an https address, or a path of this shop",
  { kind: "url", max: limits.urlLengthMax },
);
const Slides = field(
  listed(z.array(Slide)).check(
    z.refine((slides) => slides.length >= 1 && slides.length <= limits.storySlidesMax, "1 to 20 slides"),
  ),
  "slides",
  "Its slides in their order: title, description, text, image and bg_color (the name of a gradient) each; one at least",
  { kind: "slides" },
);
const IsCritical = optional(
  flag,
  "is_critical",
  "1 if it opens automatically, 0 (if omitted) if not",
  flagged,
);
const Critical = field(flag, "is_critical", "1 if it opens automatically, 0 if not", flagged);
const Direction = field(z.literal(moves), "direction", "up or down: one step in the list", {
  kind: "choice",
  of: moves,
});

/** A story in one language (spec O §3). */
export const Story = z.object({
  id: IdText,
  /** English where the asked one is missing; another only with `all`. */
  lang: z.literal(languageCodes),
  title: z.string(),
  description: z.string(),
  /** Paths end in `?v=` and the story's id; empty without a picture. */
  image: z.string(),
  /** The picture at three times the thumbnail, 216 by 300. */
  thumb: z.string(),
  button_text: z.string(),
  link: z.string(),
  slides: z.array(
    z.object({
      title: z.string(),
      description: z.string(),
      text: z.string(),
      image: z.string(),
      bg_color: z.literal(gradients),
    }),
  ),
  is_critical: z.boolean(),
});

const written = { lang: LangGiven, title: Title, description: Description, image: Image } as const;
const shown = { buttontext: ButtonText, link: Link, slides: Slides } as const;
const writtenRefusals = ["lang", "title", "description", "image", "buttontext", "link", "slides"] as const;

export const storyList = endpoint({
  name: "storyList",
  method: "GET",
  path: "/api/stories/list",
  access: "anyone",
  summary: "The stories in a language, in their order; one without a text in it is in English, or omitted",
  ask: { lang: Lang, all: All },
  reply: z.object({ stories: z.array(Story) }),
  refusals: ["lang", "request"],
});

export const viewedStories = endpoint({
  name: "viewedStories",
  method: "GET",
  path: "/api/stories/viewed",
  access: "user",
  summary: "Which stories the account has viewed",
  ask: { userId: UserId },
  reply: z.object({ viewed: z.array(IdText) }),
});

export const viewStory = endpoint({
  name: "viewStory",
  method: "POST",
  path: "/api/stories/viewed",
  access: "user",
  body: "json",
  idempotent: true,
  summary: "Remember that the account has viewed a story",
  ask: { userId: UserId, storyId: StoryId },
  reply: z.object({}),
  refusals: ["no story"],
});

export const readStory = endpoint({
  name: "readStory",
  method: "GET",
  path: "/api/admin/stories/{id}",
  access: "admin",
  role: "editor",
  summary: "A story in every language that it has (administrators)",
  ask: { id: StoryId },
  reply: z.object({
    story: z.object({ id: IdText, is_critical: z.boolean(), translations: z.array(Story) }),
  }),
  refusals: ["no story"],
});

export const addStory = endpoint({
  name: "addStory",
  method: "POST",
  path: "/api/admin/stories/create",
  access: "admin",
  role: "editor",
  body: "json",
  bodyBytesMax: limits.writtenBytesMax,
  summary: "Publish a story, one call per language; the first one creates it (administrators)",
  ask: { storyId: StoryIdOptional, ...written, ...shown, is_critical: IsCritical },
  reply: z.object({ storyId: IdText }),
  refusals: [...writtenRefusals, "is_critical", "no story", "too many stories"],
});

export const changeStory = endpoint({
  name: "changeStory",
  method: "POST",
  path: "/api/admin/stories/update/{id}",
  access: "admin",
  role: "editor",
  body: "json",
  idempotent: true,
  bodyBytesMax: limits.writtenBytesMax,
  summary: "Replace a story in one language (administrators)",
  ask: { id: StoryId, ...written, ...shown },
  reply: z.object({}),
  refusals: [...writtenRefusals, "no story"],
});

export const moveStory = endpoint({
  name: "moveStory",
  method: "POST",
  path: "/api/admin/stories/reorder",
  access: "admin",
  role: "editor",
  body: "json",
  summary: "Move a story one step in the list, which is one for all languages (administrators)",
  ask: { storyId: StoryId, direction: Direction, lang: Lang },
  reply: z.object({}),
  refusals: ["no story", "direction", "lang"],
});

export const markStory = endpoint({
  name: "markStory",
  method: "POST",
  path: "/api/admin/stories/update-critical/{id}",
  access: "admin",
  role: "editor",
  body: "json",
  idempotent: true,
  summary: "Set whether a story opens automatically (administrators)",
  ask: { id: StoryId, is_critical: Critical },
  reply: z.object({}),
  refusals: ["no story", "is_critical"],
});

export const removeStory = endpoint({
  name: "removeStory",
  method: "POST",
  path: "/api/admin/stories/delete",
  access: "admin",
  role: "editor",
  body: "json",
  idempotent: true,
  summary: "Delete a story in every language (administrators)",
  ask: { storyId: StoryId },
  reply: z.object({}),
  refusals: ["no story"],
});

export const addImage = endpoint({
  name: "addImage",
  method: "POST",
  path: "/api/admin/stories/image",
  access: "admin",
  role: "editor",
  idempotent: true,
  file: {
    bytesMax: limits.imageBytesMax,
    types: ["image/jpeg", "image/png", "image/webp", "image/gif", "image/avif"],
  },
  summary:
    "Upload a picture for a story: the body is the file, a JPEG, PNG, WebP, GIF or AVIF of at most 10 MB; it is stored as WebP, without its metadata (administrators)",
  ask: {},
  reply: z.object({ image: z.string(), width: z.int(), height: z.int() }),
  refusals: ["picture type", "size", "picture"],
});
