// Whether a text may be a key: random ones pass, whatever letters they are written in.

const lengthMin = 32;
const differentMin = 8;
/** Of the steps from one character to the next, as in "aaaa", "abcd", "4321" or "qwer". Of random hexadecimal digits a quarter are so. */
const sequenceMost = 1 / 2;
/** Of the characters, those that continue a piece said before. */
const repeatedMost = 1 / 2;
/** Of the steps, those that are frequent in words. Of random small letters one in eight is so. */
const wordsMost = 0.36;

const rows = ["1234567890", "qwertyuiop", "asdfghjkl", "zxcvbnm"];
const pieceLength = 4;
const pairsOfWords = new Set(
  (
    "th he in er an re nd on en at ou ha to or it is hi es ng st ar te se me le ve ne al ti nt as ri co de ra " +
    "li ro io ic ch ea el ll ce si ma om ec ss et no ur la ly ot us ut ed of rs ac ke ey wo rd il ho us na so"
  ).split(" "),
);

/** What a key lacks, as the rest of a sentence; undefined: it may be random. */
export function lackOf(key: string): string | undefined {
  if (key.length < lengthMin) return `must have at least ${lengthMin} characters`;
  if (new Set(key).size < differentMin)
    return `must be random, but this one has fewer than ${differentMin} different characters`;
  const text = key.toLowerCase();
  if (partOf(text, isSequence) > sequenceMost)
    return "must be random, but this one follows the alphabet, the numbers or the keyboard";
  if (repeated(text) / text.length > repeatedMost) return "must be random, but this one repeats itself";
  // Words are words with hyphens between them, too.
  if (partOf(text.replaceAll(/[^\p{L}\d]/gu, ""), (step) => pairsOfWords.has(step)) > wordsMost)
    return "must be random, but this one is made of words";
  return undefined;
}

function partOf(text: string, isSo: (step: string) => boolean): number {
  const steps = text
    .split("")
    .flatMap((letter, place) => (place === 0 ? [] : [`${text[place - 1]}${letter}`]));
  return steps.filter(isSo).length / Math.max(1, steps.length);
}

function isSequence(step: string): boolean {
  const distance = step.charCodeAt(1) - step.charCodeAt(0);
  const back = `${step[1]}${step[0]}`;
  return Math.abs(distance) <= 1 || rows.some((row) => row.includes(step) || row.includes(back));
}

function repeated(text: string): number {
  let count = 0;
  for (let end = pieceLength; end <= text.length; end++)
    if (text.indexOf(text.slice(end - pieceLength, end)) < end - pieceLength) count++;
  return count;
}
