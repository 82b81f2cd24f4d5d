import type { Language } from "../../i18n/languages.ts";
import { inLanguage, pageOf } from "../paths.ts";

/** Where the button of a story leads: out of the shop in a tab of its own, or to a page in the reader's language. */
export interface StoryLink {
  href: string;
  isOutside: boolean;
}

/** What the link of a story means; undefined if it is neither an https address nor a path of ours: then there is no button. */
export function storyLink(link: string, language: Language): StoryLink | undefined {
  if (/^https:\/\//i.test(link) && URL.canParse(link)) return { href: link, isOutside: true };
  if (!/^\/(?![/\\])/.test(link)) return undefined;
  const [, pathname = "/", rest = ""] = /^([^?#]*)(.*)$/s.exec(link) ?? [];
  // It may have been copied from the address bar, with the language of who wrote it.
  const href = pageOf(pathname) === undefined ? `/${language}${pathname}` : inLanguage(language, pathname);
  return { href: href.replace(/(?<=.)\/+$/, "") + rest, isOutside: false };
}
