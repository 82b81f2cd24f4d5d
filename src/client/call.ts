import type { Access, Calls } from "./wire.ts";

export type CallName = keyof Calls;

/** How a call is made. */
export interface Call {
  path: string;
  access: Access;
  /**
   * `form`: parameters go in a POST body, so that no secret stands in an address. `file`: the body is a file, and they go in
   * headers. Absent: in the query of a GET.
   */
  send?: "form" | "multipart" | "json" | "file";
  /** Absent: POST with a body, GET without. */
  method?: "PUT";
  /**
   * What a second request does when the answer to the first was lost. `read`: it reads again. `key`: under the same
   * `client_order_id` it is the same order. `once`: the second does nothing more. Absent: it may do the thing twice.
   */
  repeat?: "read" | "key" | "once";
  timeoutSeconds?: number;
}
