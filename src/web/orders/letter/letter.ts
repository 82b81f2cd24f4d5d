import type { Endpoints } from "../../../contract/api.ts";
import type { Reply } from "../../../contract/endpoint.ts";
import { directionMarks } from "../../../i18n/direction.ts";

type Read = Reply<Endpoints["getMessage"]>;
export type Attachment = Read["attachments"][number];

export interface Letter {
  /** Undefined when the list has no id. */
  letterId: string | undefined;
  /** Empty when the shop no longer keeps the letter. */
  message: string;
  subject: string;
  sender: string;
  /** Unix seconds. */
  receivedAt: number;
  code: string | undefined;
  link: string | undefined;
  /** What else may be the code, the likeliest first. */
  codeCandidates: readonly string[];
  value: string | undefined;
  attachments: readonly Attachment[];
  remoteImages: number;
}

export function letterOf(read: Read): Letter {
  const { letter_id, message, subject, sender, received_at, code, link, value } = read;
  const { attachments, remote_images, code_candidates } = read;
  return {
    letterId: letter_id,
    message,
    subject,
    sender,
    receivedAt: received_at,
    code,
    link,
    codeCandidates: code_candidates ?? [],
    value,
    attachments,
    remoteImages: remote_images,
  };
}

const controls = /\p{Cc}/gu;
/** The signs of a text as a reader counts them; browsers without the segmenter give code points. */
const signsOf = (text: string): string[] =>
  "Segmenter" in Intl
    ? Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment)
    : Array.from<string>(text);
const nameLengthMax = 48;
const endLength = 14;

/** A file name for display: no direction marks; cut in the middle to keep the extension. */
export function fileName(name: string): string {
  const shown = name.replaceAll(directionMarks, "").replaceAll(controls, "");
  const signs = signsOf(shown);
  if (signs.length <= nameLengthMax) return signs.join("");
  const begin = signs.slice(0, nameLengthMax - endLength - 1).join("");
  return `${begin}…${signs.slice(-endLength).join("")}`;
}

export type FileKind = "picture" | "document" | "archive" | "sound" | "film" | "other";

const kinds: readonly [RegExp, FileKind][] = [
  [/^image\//, "picture"],
  [/^audio\//, "sound"],
  [/^video\//, "film"],
  [/zip|compressed|x-tar|x-rar|x-7z/, "archive"],
  [/^text\/|pdf|msword|officedocument|opendocument|rtf|ms-excel|ms-powerpoint/, "document"],
];

export function kindOf(type: string): FileKind {
  return kinds.find(([pattern]) => pattern.test(type.toLowerCase()))?.[1] ?? "other";
}
