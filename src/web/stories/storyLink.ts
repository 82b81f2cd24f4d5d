import type { Language } from "../../i18n/languages.ts";
import { inLanguage, pageOf } from "../paths.ts";

/** The target of a story's button: an external site in a new tab, or a page in the reader's language. */
export interface StoryLink {
  href: string;
  isOutside: boolean;
}

/** Parses the link of a story; undefined, so no button, unless it is https or a path of ours. */
export function storyLink(link: string, language: Language): StoryLink | undefined {
  if (/^https:\/\//i.test(link) && URL.canParse(link)) return { href: link, isOutside: true };
  if (!/^\/(?![/\\])/.test(link)) return undefined;
  const [, pathname = "/", rest = ""] = /^([^?#]*)(.*)$/s.exec(link) ?? [];
  // The author may have copied it from the address bar, with a language.
  const href = pageOf(pathname) === undefined ? `/${language}${pathname}` : inLanguage(language, pathname);
  return { href: href.replace(/(?<=.)\/+$/, "") + rest, isOutside: false };
}
