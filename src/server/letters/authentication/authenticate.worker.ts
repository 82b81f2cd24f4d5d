import type { DnsServers } from "../../platform/config/config.ts";
import { authenticate, type Authenticated, type Envelope } from "./authenticate.ts";
import { letGo } from "../letters.raw.ts";
import { type Dns, openDns, type Patience } from "../../platform/dns.ts";

export interface Question {
  readonly raw: Uint8Array;
  readonly envelope: Envelope;
  readonly servers: DnsServers;
  readonly patience?: Patience | undefined;
  /** 0 until the thread begins, which writes it. */
  readonly progress: Int32Array<SharedArrayBuffer>;
}

let dns: Dns | undefined;

export default async function answer(question: Question): Promise<Authenticated> {
  const { raw, envelope, servers, patience, progress } = question;
  Atomics.store(progress, 0, 1);
  dns ??= openDns(servers, patience);
  try {
    return await authenticate(raw, envelope, dns);
  } finally {
    letGo(raw);
  }
}
