import type * as z from "zod/mini";
import type { Refusal } from "./refusals.ts";

/** What a parameter looks like, for the documentation and for forms. The schema decides; a test holds the two together. */
export type Form =
  | { readonly kind: "text" | "email" | "password" | "captcha" | "url" | "regex"; readonly max: number }
  | { readonly kind: "whole" | "time"; readonly min: number; readonly max: number }
  | { readonly kind: "number"; readonly min: number; readonly max: number; readonly decimals: number }
  | { readonly kind: "dollars"; readonly min?: number; readonly max: number; readonly decimals: number }
  | { readonly kind: "digits"; readonly count: number }
  | { readonly kind: "choice" | "choices"; readonly of: readonly string[] }
  | { readonly kind: "id" | "flag" | "cursor" | "translations" | "slides" };

/** One parameter: how it is read, the refusal that a wrong one gets, and its line in the documentation. */
export interface Field<Schema extends z.ZodMiniType = z.ZodMiniType> {
  readonly schema: Schema;
  readonly refusal: Refusal;
  readonly summary: string;
  readonly form: Form;
  /** May be left out or empty. */
  readonly optional: boolean;
}

export type Fields = Record<string, Field>;

/** A file that is the body of a call. */
export interface Taken {
  readonly types: readonly string[];
  readonly bytesMax: number;
}

/**
 * Who may call: `anyone`; `user` holds the token of an account that is not blocked; `active` has also entered the
 * code of the activation mail; `admin` is active and carries the administrator flag.
 */
export type Access = "anyone" | "user" | "active" | "admin";

/** One call of the API: the server, the typed client, the OpenAPI document and the documentation are made from it. */
export interface Endpoint<
  Ask extends Fields = Fields,
  Reply extends z.ZodMiniType = z.ZodMiniType,
  Value extends Refusal = Refusal,
  Who extends Access = Access,
  File extends Taken | undefined = Taken | undefined,
> {
  readonly name: string;
  readonly method: "GET" | "POST" | "PUT";
  /** A GET that carries a secret is also taken as POST with a body, so that the secret stays out of addresses. */
  readonly alsoPost?: boolean;
  /** Changes nothing, though it is taken as POST: what was answered before stays true. */
  readonly reads?: true;
  readonly path: `/${string}`;
  readonly access: Who;
  /** A limited token may call it too: ordering and reading. */
  readonly limited?: true;
  /** Think twice: it takes money from the balance, or it ends something that does not come back. */
  readonly caution?: "spends" | "ends";
  /** The body is a file of one of the types, of so many bytes at most, read while it arrives; what is asked stands in headers, the token too. */
  readonly file?: File;
  /** How clients send the body, where it is not a form. */
  readonly body?: "json" | "multipart";
  /** Done twice it is done once, so clients ask again when the answer was lost. */
  readonly idempotent?: true;
  /** How long clients wait for the answer, where that is not as long as usual. */
  readonly timeoutSeconds?: number;
  /** How long the body may be, where it may be longer than most. */
  readonly bodyBytesMax?: number;
  readonly summary: string;
  readonly ask: Ask;
  /** The fields of a success beside `status`. */
  readonly reply: Reply;
  readonly refusals: readonly Value[];
  /**
   * `bare`: the answer is the reply itself without the envelope. `html`: with `preview=1` the letter itself is answered.
   * `events`: a stream of server-sent events. `csv`: a file, streamed. A refusal is the usual envelope always.
   */
  readonly carried?: "bare" | "html" | "events" | "csv";
}

/** Declares a call. Its only work is to keep the exact types. */
export function endpoint<
  const Ask extends Fields,
  Reply extends z.ZodMiniType,
  const Value extends Refusal,
  const Who extends Access,
  const File extends Taken | undefined = undefined,
>(declared: Endpoint<Ask, Reply, Value, Who, File>): Endpoint<Ask, Reply, Value, Who, File> {
  return declared;
}

/** Parameters whose header is not called as they are. */
const headers: Readonly<Record<string, string>> = {
  client_order_id: "Idempotency-Key",
  last_event_id: "Last-Event-ID",
};

/** The header that a parameter is taken as: of a call whose body is a file each one, of the others these few. */
export function headerOf({ file }: Endpoint, name: string): string | undefined {
  const header = headers[name];
  if (header !== undefined || file === undefined) return header;
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** What the handler gets: every parameter read and checked. */
export type Asked<E extends Endpoint> = { [Name in keyof E["ask"]]: z.output<E["ask"][Name]["schema"]> };

type OptionalName<Ask extends Fields> = {
  [Name in keyof Ask]: undefined extends z.input<Ask[Name]["schema"]> ? Name : never;
}[keyof Ask];

/** What a client sends; the token is added by the client itself. */
export type Asking<E extends Endpoint> = {
  [Name in Exclude<keyof E["ask"], OptionalName<E["ask"]>>]: z.input<E["ask"][Name]["schema"]>;
} & { [Name in OptionalName<E["ask"]>]?: z.input<E["ask"][Name]["schema"]> };

/** The success of a call beside `status`. */
export type Reply<E extends Endpoint> = z.output<E["reply"]>;

/** The refusals that a call declares. */
export type RefusalOf<E extends Endpoint> = E["refusals"][number];

/** The methods by which a call is taken. */
export const methodsOf = ({ method, alsoPost }: Pick<Endpoint, "method" | "alsoPost">) =>
  alsoPost ? (["GET", "POST"] as const) : ([method] as const);
