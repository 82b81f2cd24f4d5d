import { cleanSite } from "../../orders/form/siteInput.ts";
import { isBegun } from "../../palette/asked.ts";

/**
 * The site that a text asks an order for: after the words for it ("new order zoom.us"), or alone if it can only be a site. `isCalled`:
 * the text begins the words.
 */
export function siteAsked(text: string, words: string): { site: string; isCalled: boolean } {
  const typed = text.trimStart().toLowerCase();
  const name = words.toLowerCase();
  const isCalled = typed.trim() !== "" && (isBegun(name, typed) || typed.startsWith(name));
  const rest = typed.startsWith(`${name} `) ? typed.slice(name.length) : typed;
  const site = cleanSite(rest);
  const isSite = /^[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)+$/u.test(site) && !rest.includes("@");
  const isNamed = rest !== typed && site !== "";
  return { site: isSite || isNamed ? site : "", isCalled };
}
