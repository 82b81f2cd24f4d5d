import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useSyncExternalStore } from "react";
import { newKey } from "../../client/key.ts";
import type { Reply } from "../../contract/endpoint.ts";
import type { uploadBatch } from "../../contract/investors.ts";
import type { Refused } from "../api.ts";
import { useToken } from "../session.ts";
import { makeListeners } from "../ui/listeners.ts";
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

/** What an investor prepares or sends. It outlives the page: others may be looked at meanwhile. */
interface Draft {
  /** The session that it belongs to. */
  token: string;
  file?: File | undefined;
  services: readonly string[];
  upload: Upload;
  running?: AbortController;
  /** One idempotency key for a file with its services, however often it is sent. */
  tried?: { file: File; services: string; key: string };
}

const empty: Draft = { token: "", services: [], upload: { state: "idle" } };
let draft = empty;
const listeners = makeListeners();

const draftOf = (token: string): Draft => (draft.token === token ? draft : { ...empty, token });

function change(token: string, next: Partial<Draft>): void {
  draft = { ...draftOf(token), ...next };
  listeners.tell();
}

/** The draft of this session; `onStored` is told on the page that began to send it. */
export function useUpload(onStored: () => void) {
  const token = useToken();
  const kept = useSyncExternalStore(
    listeners.add,
    () => draft,
    () => empty,
  );
  const { file, services, upload, running } = kept.token === token ? kept : empty;
  useRefetches(upload.state === "success" ? upload.result.id_batch : undefined);
  return {
    file,
    services,
    upload,
    change: (next: Pick<Partial<Draft>, "file" | "services" | "upload">) => change(token, next),
    send: async () => {
      if (await sendDraft(token)) onStored();
    },
    cancel: () => running?.abort(),
  };
}

/** Whether the batch was stored. */
async function sendDraft(token: string): Promise<boolean> {
  const { file, services, tried } = draftOf(token);
  if (!file) return false;
  const names = services.join();
  const attempt =
    tried?.file === file && tried.services === names ? tried : { file, services: names, key: newKey() };
  const running = new AbortController();
  // Another session may have begun a draft meanwhile.
  const tell = (next: Partial<Draft>) => draft.running === running && change(token, next);
  change(token, { upload: { state: "loading", sent: 0 }, running, tried: attempt });
  addEventListener("beforeunload", stay);
  try {
    const answer = await sendBatch(file, {
      token,
      services,
      key: attempt.key,
      signal: running.signal,
      onSent: (sent) => tell({ upload: { state: "loading", sent } }),
    });
    if (answer.ok) tell({ file: undefined, upload: { state: "success", result: answer.data as Uploaded } });
    else tell({ upload: { state: "idle", refused: answer } });
    return answer.ok;
  } catch {
    // Only an abort is thrown.
    tell({ upload: { state: "idle" } });
    return false;
  } finally {
    removeEventListener("beforeunload", stay);
  }
}

const stay = (event: BeforeUnloadEvent) => event.preventDefault();

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
