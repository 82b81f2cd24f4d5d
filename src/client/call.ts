import type { Access, Calls } from "./wire.ts";

export type CallName = keyof Calls;

export interface Call {
  path: string;
  access: Access;
  /** `form`: a POST body, so that no secret stands in an address. `file`: the body is a file, parameters are headers. Absent: the query of a GET. */
  send?: "form" | "multipart" | "json" | "file";
  /** Absent: POST with a body, GET without. */
  method?: "PUT";
  /** What a repeated request does: `read` reads again, `key` is the same order (`client_order_id`), `once` does nothing more. Absent: it may act twice. */
  repeat?: "read" | "key" | "once";
  timeoutSeconds?: number;
}
