export const letter = (...lines: string[]): Buffer => Buffer.from(lines.join("\r\n"), "latin1");

export const part = (body: string, ...fields: string[]): string[] => ["--b", ...fields, "", body];

export const parted = (type: "mixed" | "related", ...parts: string[][]): Buffer =>
  letter("From: a@b.test", `Content-Type: multipart/${type}; boundary=b`, "", ...parts.flat(), "--b--");

/** A text file as editors save it. */
export function encodedIn(encoding: string, text: string): Uint8Array<ArrayBuffer> {
  if (encoding === "utf-8") return new TextEncoder().encode(text);
  const bytes = Buffer.from(text, "utf16le");
  return new Uint8Array(encoding === "utf-16be" ? bytes.swap16() : bytes);
}
