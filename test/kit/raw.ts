/** A raw letter of these lines; each character is a byte. */
export const letter = (...lines: string[]): Buffer => Buffer.from(lines.join("\r\n"), "latin1");

/** A part of a letter whose boundary is "b". */
export const part = (body: string, ...fields: string[]): string[] => ["--b", ...fields, "", body];

/** A letter of such parts, with its end. */
export const parted = (type: "mixed" | "related", ...parts: string[][]): Buffer =>
  letter("From: a@b.test", `Content-Type: multipart/${type}; boundary=b`, "", ...parts.flat(), "--b--");
