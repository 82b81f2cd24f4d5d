import { directionMarks } from "../../i18n/direction.ts";
import { decodeValue, readFields } from "./mime.headers.ts";
import { decodeBody, decodedSize, type Enclosed } from "./mime.transfer.ts";
import type { Part } from "./mime.parts.ts";

export interface Attachment {
  readonly name: string;
  readonly type: string;
  readonly size: number;
}

const listedMax = 50;
const nameLengthMax = 255;
const typeLengthMax = 127;

export function listAttachments(parts: readonly Part[], enclosed: readonly Enclosed[]): Attachment[] {
  const listed = parts.slice(0, listedMax).map((part) => ({
    name: tidyName(fileNameOf(part)) || tidyName(titleOf(part)) || defaultName(part.type),
    type: tidyType(part.type),
    size: decodedSize(part.body, part.transfer),
  }));
  const found = enclosed.map(({ name, size }) => ({
    name: tidyName(name) || "file",
    type: "application/octet-stream",
    size,
  }));
  return [...listed, ...found].slice(0, listedMax);
}

export function fileNameOf({ disposition, parameters }: Pick<Part, "disposition" | "parameters">): string {
  return (
    disposition.parameters.get("filename") ??
    disposition.parameters.get("name") ??
    parameters.get("name") ??
    ""
  );
}

const headersBytesMax = 16 * 1024;

function titleOf({ type, body, transfer }: Part): string {
  if (!isLetter(type)) return "";
  const text = decodeBody(body, transfer, headersBytesMax).toString("latin1");
  const { fields } = readFields(text, 0, text.length);
  const subject = decodeValue(fields.get("subject") ?? "").replaceAll(/[/\\]/g, "-");
  return subject === "" ? "" : `${subject.slice(0, nameLengthMax - 4)}.eml`;
}

export const isLetter = (type: string) => type === "message/rfc822" || type === "message/global";

// Without a path, and without marks of direction: "exe.gpj" must not read "jpg.exe".
function tidyName(name: string): string {
  const flat = name
    .slice(0, nameLengthMax * 8)
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ")
    .replaceAll(directionMarks, "");
  const last = flat.slice(Math.max(flat.lastIndexOf("/"), flat.lastIndexOf("\\")) + 1).trim();
  return /^\.*$/.test(last) ? "" : last.slice(0, nameLengthMax).toWellFormed();
}

const tidyType = (type: string) =>
  type.length <= typeLengthMax && /^[\w.+-]+\/[\w.+-]+$/.test(type) ? type : "application/octet-stream";

function defaultName(type: string): string {
  const [kind = "", form = ""] = type.split("/");
  if (isLetter(type)) return "letter.eml";
  if (type === "text/calendar") return "calendar.ics";
  if (type === "text/html") return "page.html";
  if (type === "text/plain") return "text.txt";
  return kind === "image" && /^[a-z]{2,5}$/.test(form) ? `picture.${form === "jpeg" ? "jpg" : form}` : "file";
}
