export const letter = (...lines: string[]): Buffer => Buffer.from(lines.join("\r\n"), "latin1");

export const part = (body: string, ...fields: string[]): string[] => ["--b", ...fields, "", body];

export const parted = (type: "mixed" | "related", ...parts: string[][]): Buffer =>
  letter("From: a@b.test", `Content-Type: multipart/${type}; boundary=b`, "", ...parts.flat(), "--b--");
