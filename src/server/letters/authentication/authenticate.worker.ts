// What the thread of letters.authentication.ts runs.
import type { DnsServers } from "../../platform/config/config.ts";
import { authenticate, type Authenticated, type Envelope } from "./authenticate.ts";
import { letGo } from "../letters.raw.ts";
import { type Dns, openDns, type Patience } from "../../platform/dns.ts";

/** One message to the thread. */
export interface Question {
  /** This buffer is handed over and not copied. */
  readonly raw: Uint8Array;
  readonly envelope: Envelope;
  readonly servers: DnsServers;
  readonly patience?: Patience | undefined;
}

let dns: Dns | undefined;

/** Says what a letter proves. Several at once, as it mostly waits for dns; what was answered is known to the next. */
export default async function answer({ raw, envelope, servers, patience }: Question): Promise<Authenticated> {
  dns ??= openDns(servers, patience);
  try {
    return await authenticate(raw, envelope, dns);
  } finally {
    letGo(raw);
  }
}
