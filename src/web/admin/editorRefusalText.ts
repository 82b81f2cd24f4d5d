import type { Endpoints } from "../../contract/api.ts";
import type { RefusalOf } from "../../contract/endpoint.ts";
import type { addImage } from "../../contract/stories.ts";
import type { OfficeKey } from "../../i18n/t.ts";
import type { Refused } from "../api.ts";
import { useOfficeText } from "../language.tsx";
import { refusalText } from "../refusalText.ts";

type Written =
  | "readNews"
  | "addNews"
  | "changeNews"
  | "readStory"
  | "addStory"
  | "changeStory"
  | "moveStory"
  | "markStory";
type EditorRefusal = RefusalOf<Endpoints[Written]> | RefusalOf<typeof addImage>;
/** All pages share the texts of these. */
type Common = "token" | "no access";

// A missing text of a refusal does not compile.
const keys: Record<Exclude<EditorRefusal, Common>, OfficeKey> = {
  "no news": "editor.refusal.noNews",
  priority: "editor.news.priority.wrong",
  importance: "editor.refusal.text",
  translations: "editor.refusal.text",
  action: "editor.refusal.text",
  "too many news": "editor.refusal.tooManyNews",
  "no story": "editor.refusal.noStory",
  "too many stories": "editor.refusal.tooManyStories",
  lang: "editor.refusal.text",
  title: "editor.refusal.title",
  description: "editor.refusal.text",
  image: "editor.refusal.image",
  buttontext: "editor.refusal.text",
  link: "editor.refusal.link",
  slides: "editor.refusal.slides",
  is_critical: "editor.refusal.text",
  direction: "editor.refusal.text",
  "picture type": "editor.image.type",
  size: "editor.image.size",
  picture: "editor.image.broken",
};

export function useEditorRefusalText(): (refused: Refused<string>) => string {
  const t = useOfficeText();
  return (refused) => {
    const key = (keys as Record<string, OfficeKey | undefined>)[refused.value];
    return key === undefined ? refusalText(t, refused) : t(key);
  };
}
