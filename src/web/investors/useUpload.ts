import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import { newKey } from "../../client/key.ts";
import type { Reply } from "../../contract/endpoint.ts";
import type { uploadBatch } from "../../contract/investors.ts";
import type { Refused } from "../api.ts";
import { stored } from "../stored.ts";
import type { AnyAnswer } from "../../client/request.ts";
import { uploadFile, type UploadOptions as FileSending } from "../uploadFile.ts";

export type Uploaded = Reply<typeof uploadBatch>;

/** The states of the upload button (spec O §4), with the last answer. */
export type Upload =
  | { state: "idle"; refused?: Refused<string> }
  | { state: "loading"; sent: number }
  | { state: "success"; result: Uploaded };

/** Reloads of the list after an upload (spec O §9). */
const refetches = 3;
const refetchMilliseconds = 2000;

export function useUpload(onStored: () => void) {
  const [upload, setUpload] = useState<Upload>({ state: "idle" });
  const [lastStored, setLastStored] = useState<string>();
  const attempt = useAttempt();
  const running = useRef<AbortController>(undefined);
  const send = async (file: File, services: readonly string[]) => {
    running.current = new AbortController();
    setUpload({ state: "loading", sent: 0 });
    const sending = {
      token: stored.authToken.read(),
      services,
      key: attempt(file, services),
      signal: running.current.signal,
      onSent: (sent: number) => setUpload({ state: "loading", sent }),
    };
    try {
      const answer = await sendBatch(file, sending);
      if (!answer.ok) return setUpload({ state: "idle", refused: answer });
      const result = answer.data as Uploaded;
      setUpload({ state: "success", result });
      setLastStored(result.id_batch);
      return onStored();
    } catch {
      // Only an abort is thrown.
      return setUpload({ state: "idle" });
    }
  };
  const forget = useCallback(() => setUpload({ state: "idle" }), []);
  useRefetches(lastStored);
  useStay(upload.state === "loading");
  return { upload, send, cancel: () => running.current?.abort(), forget };
}

/** One idempotency key for a file with its services, however often it is sent. */
function useAttempt() {
  const last = useRef<{ file: File; services: string; key: string }>(undefined);
  return (file: File, services: readonly string[]): string => {
    const names = services.join();
    if (last.current?.file !== file || last.current.services !== names)
      last.current = { file, services: names, key: newKey() };
    return last.current.key;
  };
}

/** Reloads the list three times, 2 s apart. */
function useRefetches(batch: string | undefined) {
  const client = useQueryClient();
  useEffect(() => {
    if (batch === undefined) return undefined;
    let left = refetches;
    const timer = setInterval(() => {
      void client.refetchQueries({ queryKey: ["batches"], type: "active" });
      left -= 1;
      if (left === 0) clearInterval(timer);
    }, refetchMilliseconds);
    return () => clearInterval(timer);
  }, [batch, client]);
}

function useStay(isSending: boolean) {
  useEffect(() => {
    if (!isSending) return undefined;
    const stay = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", stay);
    return () => removeEventListener("beforeunload", stay);
  }, [isSending]);
}

interface Sending extends Omit<FileSending, "headers" | "token"> {
  token: string;
  services: readonly string[];
  /** The same for each try of a file: a retry after a lost answer makes no second batch. */
  key: string;
}

/** Sends a batch with the header of spec O §7; answers and throws like uploadFile. */
function sendBatch(file: File, { token, services, key, ...rest }: Sending): Promise<AnyAnswer> {
  const text = new Blob([file], { type: "text/plain" });
  const ask = { file: text, sites: services.join(","), client_order_id: key };
  return uploadFile("uploadBatch", ask, { headers: { Token: token }, ...rest });
}
