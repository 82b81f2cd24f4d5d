/** The digits of a text, up to `length`; drops the rest (spec B §2). */
export function digitsOf(text: string, length: number): string {
  return text
    .replace(/[٠-٩]/g, arabicDigit)
    .replace(/[०-९]/g, devanagariDigit)
    .replace(/\D/g, "")
    .slice(0, length);
}

/** Types a digit into a box; returns the text and the next box. */
export function typeDigits(
  code: string,
  at: number,
  typed: string,
  length: number,
): { code: string; next: number } {
  const digits = digitsOf(typed, length);
  if (digits === "") return { code, next: at };
  if (digits.length === length) return { code: digits, next: length - 1 };
  const place = Math.min(at, code.length);
  const written = (code.slice(0, place) + digits + code.slice(place + digits.length)).slice(0, length);
  return { code: written, next: Math.min(place + digits.length, length - 1) };
}

/** Backspace: empties the box, or the previous one if it is empty. */
export function eraseDigit(code: string, at: number): { code: string; next: number } {
  const place = at < code.length ? at : code.length - 1;
  return { code: code.slice(0, Math.max(0, place)) + code.slice(place + 1), next: Math.max(0, place) };
}

const arabicDigit = (digit: string) => String(digit.charCodeAt(0) - 0x0660);
const devanagariDigit = (digit: string) => String(digit.charCodeAt(0) - 0x0966);
