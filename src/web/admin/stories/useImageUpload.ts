import { useEffect, useRef, useState } from "react";
import type { Reply } from "../../../contract/endpoint.ts";
import { imageBytesMax } from "../../../contract/limits.ts";
import type { addImage } from "../../../contract/stories.ts";
import type { Refused } from "../../api.ts";
import { uploadFile } from "../../uploadFile.ts";
import { stored } from "../../stored.ts";

export const imageTypes = ["image/jpeg", "image/png", "image/webp", "image/gif", "image/avif"];

export type Upload = { state: "idle"; refused?: Refused<string> } | { state: "loading"; sent: number };

/** Uploads a picture and passes its path to `onStored`. Rejects other types and too large files without a call. */
export function useImageUpload(onStored: (image: string) => void) {
  const [upload, setUpload] = useState<Upload>({ state: "idle" });
  const running = useRef<AbortController>(undefined);
  const send = async (file: File) => {
    const wrong = !imageTypes.includes(file.type)
      ? "picture type"
      : file.size > imageBytesMax
        ? "size"
        : undefined;
    if (wrong) return setUpload({ state: "idle", refused: { ok: false, value: wrong, more: {} } as never });
    running.current = new AbortController();
    setUpload({ state: "loading", sent: 0 });
    try {
      const answer = await uploadFile(
        "addImage",
        { file },
        {
          token: stored.authToken.read(),
          signal: running.current.signal,
          onSent: (sent) => setUpload({ state: "loading", sent }),
        },
      );
      if (!answer.ok) return setUpload({ state: "idle", refused: answer });
      onStored((answer.data as Reply<typeof addImage>).image);
      return setUpload({ state: "idle" });
    } catch {
      return setUpload({ state: "idle" });
    }
  };
  useEffect(() => () => running.current?.abort(), []);
  return { upload, send, cancel: () => running.current?.abort() };
}
