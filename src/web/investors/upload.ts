import type { AnyAnswer } from "../../client/request.ts";
import { uploadFile, type UploadOptions as FileSending } from "../uploadFile.ts";

export interface Sending extends Omit<FileSending, "headers" | "token"> {
  token: string;
  /** Domains as they are read, in any script. */
  services: readonly string[];
  /** The same for each try of one file: a repeat after a lost answer makes no second batch. */
  key: string;
}

/** Sends a batch with the header that spec O §7 names (see sendFile for what is answered and what is thrown). */
export function sendBatch(file: File, { token, services, key, ...rest }: Sending): Promise<AnyAnswer> {
  const text = new Blob([file], { type: "text/plain" });
  const ask = { file: text, sites: services.join(","), client_order_id: key };
  return uploadFile("uploadBatch", ask, { headers: { Token: token }, ...rest });
}
