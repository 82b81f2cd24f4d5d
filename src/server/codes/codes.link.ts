import { Lexicon } from "./codes.lexicon.ts";
import type { Link } from "../mime/mime.ts";
import {
  addressWords,
  hereWords,
  ignoreWords,
  linkWords,
  otherAddressWords,
  otherLinkWords,
} from "./codes.words.ts";

const scoreMin = 6;
const secretScore = 3;

const sayings = new Lexicon({ link: linkWords, here: hereWords, other: otherLinkWords, ignore: ignoreWords });
const addresses = new Lexicon({ link: addressWords, other: otherAddressWords });

/** The link that confirms the address or signs in, by its label and address, else by the sentence or the subject; of equals the first. */
export function findLink(links: readonly Link[], subject = ""): string | undefined {
  const isAsked = links.length > 0 && sayings.kindsIn(subject.toLowerCase()).has("link");
  let best: { href: string; score: number } | undefined;
  for (const link of links) {
    const { href } = link;
    const enough = Math.max(scoreMin, (best?.score ?? 0) + 1);
    const score = textScore(link, isAsked) + namedOf(href);
    if (score + secretScore < enough) continue;
    const whole = score + builtOf(href);
    if (whole >= enough) best = { href, score: whole };
  }
  return best?.href;
}

function textScore({ text, around = "", above = "" }: Link, isAsked: boolean): number {
  const kinds = sayings.kindsIn(text.toLowerCase());
  if (isAside(kinds) && isToConfirm(above)) return 5;
  if (kinds.has("other")) return kinds.has("link") ? -3 : -8;
  if (kinds.has("link")) return 5;
  if (!kinds.has("here")) return 0;
  const sentence = sayings.kindsIn(around.toLowerCase());
  if (sentence.has("other")) return -8;
  return sentence.has("link") || isToConfirm(above) ? 5 : isAsked ? 3 : 0;
}

/** "If you did not ask for it, ignore this letter" says nothing of the link behind it, unless it says where to click. */
const isAside = (kinds: ReadonlySet<string>) =>
  kinds.has("ignore") && !kinds.has("here") && (kinds.has("other") || !kinds.has("link"));

/** Whether the nearest sentence that says what its links are for says so. */
function isToConfirm(above: string): boolean {
  for (const sentence of above.toLowerCase().split("\n")) {
    const kinds = sayings.kindsIn(sentence);
    if (isAside(kinds)) continue;
    if (kinds.has("other")) return false;
    if (kinds.has("link")) return true;
  }
  return false;
}

function namedOf(href: string): number {
  const kinds = addresses.kindsIn(href.toLowerCase());
  return (kinds.has("link") ? 4 : 0) - (kinds.has("other") ? 8 : 0);
}

/** Scores the form of an address: a home page confirms nothing, a secret often does. */
function builtOf(href: string): number {
  const url = URL.parse(href);
  if (!url) return Number.NEGATIVE_INFINITY;
  if (url.pathname === "/" && url.search === "") return -4;
  return hasSecret(url.pathname + url.search) ? secretScore : 0;
}

// A value behind such a name, or as the last part of a path.
const named =
  /[?&#;](?:[a-z]+[_-])*(?:code|otp|pin|passcode|token)=([A-Za-z0-9-]+)(?:[&#;]|$)|\/(?:code|otp|pin|passcode|verify|verification|confirm|confirmation|activate|activation)\/([A-Za-z0-9-]+)\/?$/i;
const otherNames =
  /(?:promo|coupon|discount|zip|postal|country|area|region|lang|referral|ref|currency|error|status)[_-]?code=/i;

/** The code that only the address of the confirming link has: of digits, or of capitals and digits. */
export function codeInLink(links: readonly Link[], subject: string): string | undefined {
  if (!links.some(({ href }) => valueIn(href) !== undefined)) return undefined;
  const href = findLink(links, subject);
  return href === undefined ? undefined : valueIn(href);
}

function valueIn(href: string): string | undefined {
  const [, parameter, part] = named.exec(href) ?? [];
  const value = parameter ?? part ?? "";
  const isCode = /^[0-9]{4,8}$|^(?=.*[0-9])(?=.*[A-Z])[A-Z0-9]{5,10}$|^[A-Z0-9]{3,4}-[A-Z0-9]{3,4}$/.test(
    value,
  );
  return isCode && !/^(?:19|20)[0-9]{2}$/.test(value) && !otherNames.test(href) ? value : undefined;
}

const hasSecret = (path: string) => path.split(/[/?&=#.]/).some(isSecret);

function isSecret(part: string): boolean {
  if (part.length < 10 || !/[0-9]/.test(part) || !/[A-Za-z]/.test(part)) return false;
  return part.length >= 16 || (/[A-Z]/.test(part) && /[a-z]/.test(part));
}
