import type * as z from "zod/mini";
import type { Refusal } from "./refusals.ts";

/** What a parameter looks like, for the documentation and forms. The schema decides; a test compares both. */
export type Form =
  | { readonly kind: "text" | "email" | "password" | "captcha" | "url" | "regex"; readonly max: number }
  | { readonly kind: "whole" | "time"; readonly min: number; readonly max: number }
  | { readonly kind: "number"; readonly min: number; readonly max: number; readonly decimals: number }
  | { readonly kind: "dollars"; readonly min?: number; readonly max: number; readonly decimals: number }
  | { readonly kind: "digits"; readonly count: number }
  | { readonly kind: "choice" | "choices"; readonly of: readonly string[] }
  | { readonly kind: "id"; readonly names?: "account" }
  | { readonly kind: "flag" | "cursor" | "translations" | "slides" };

export interface Field<Schema extends z.ZodMiniType = z.ZodMiniType> {
  readonly schema: Schema;
  readonly refusal: Refusal;
  readonly summary: string;
  readonly form: Form;
  readonly optional: boolean;
}

/** A text without blanks at its edges, those that are not to be seen among them: whoever copies a value copies them too. */
export const withoutEdges = (text: string): string =>
  text.replaceAll(/^[\s\u200b\u2060]+|[\s\u200b\u2060]+$/g, "");

/** Forms of values that may begin or end with a blank, or whose schema removes it. */
const written: readonly Form["kind"][] = ["text", "password", "regex"];

/** A parameter as it came, less the blanks at its edges where its values cannot have any. */
export const withoutBlanks = ({ form }: Field, given: unknown): unknown =>
  typeof given === "string" && !written.includes(form.kind) ? withoutEdges(given) : given;

export type Fields = Record<string, Field>;

export interface Taken {
  readonly types: readonly string[];
  readonly bytesMax: number;
}

/** Who may call. `user`: an account that is not blocked; `active`: also activated by email; `admin`: also an administrator. */
export type Access = "anyone" | "user" | "active" | "admin";

/** Whose work a call of the back office is. */
export const officeRoles = ["owner", "money", "support", "editor"] as const;
export type OfficeRole = (typeof officeRoles)[number];

/** `proved`: its person has also proved who it is in the last ten minutes. `where closed`: as `proved`, of accounts closed to programs. */
export type SessionNeeded = "begun" | "proved" | "where closed";

/** One call of the API: the server, the typed client, the OpenAPI document and the documentation come from it. */
export interface Endpoint<
  Ask extends Fields = Fields,
  Reply extends z.ZodMiniType = z.ZodMiniType,
  Value extends Refusal = Refusal,
  Who extends Access = Access,
  File extends Taken | undefined = Taken | undefined,
> {
  readonly name: string;
  readonly method: "GET" | "POST" | "PUT";
  /** A GET that carries a secret is also taken as POST, so that the secret stays out of addresses. */
  readonly alsoPost?: boolean;
  /** A POST that changes nothing: caches stay valid. */
  readonly reads?: true;
  readonly path: `/${string}`;
  readonly access: Who;
  /** Of a call of the back office: whose work it is; left out, of all but editors: it only shows something. */
  readonly role?: OfficeRole | "any";
  /** Where only a session may call it, which a sign-in began, and no token of programs. */
  readonly session?: SessionNeeded;
  /** Its answer tells the browser to forget what the pages have stored. */
  readonly clears?: true;
  /** A limited token may call it too. */
  readonly limited?: true;
  /** `spends` takes money from the balance; `ends` cannot be undone. */
  readonly caution?: "spends" | "ends";
  /** The body is a streamed file of one of these types, with a size limit; all parameters, the token too, are headers. */
  readonly file?: File;
  /** How clients send the body; default is a form. */
  readonly body?: "json" | "multipart";
  /** Clients retry it when the answer was lost: a second call does nothing more. */
  readonly idempotent?: true;
  /** How long clients wait for the answer, if longer than usual. */
  readonly timeoutSeconds?: number;
  /** The limit of the body, if larger than usual. */
  readonly bodyBytesMax?: number;
  readonly summary: string;
  readonly ask: Ask;
  readonly reply: Reply;
  readonly refusals: readonly Value[];
  /** Is also refused as `try again N seconds`. */
  readonly spaced?: true;
  /**
   * `bare`: the reply without envelope. `html`: the letter itself with `preview=1`. `events`: server-sent events. `csv`, `eml`: a streamed file.
   * A refusal always has the usual envelope.
   */
  readonly carried?: "bare" | "html" | "events" | "csv" | "eml";
}

/** Whether the answer is a text of its own and no JSON. */
export const isTextOnly = ({ carried }: Pick<Endpoint, "carried">): boolean =>
  carried === "events" || carried === "csv" || carried === "eml";

/** What follows from `access` and `session`: no call names these refusals itself. */
export type AccessRefusal<Who extends Access, Session extends SessionNeeded> =
  | (Who extends "anyone" ? never : "token")
  | (Who extends "admin" ? "no access" : never)
  | (Session extends SessionNeeded ? "session" : never)
  | (Session extends "proved" | "where closed" ? "proof" : never);

/** All refusals of a call: those of its access first; one that the call names itself keeps its place among its own. */
export function withAccessRefusals<Value extends Refusal, Who extends Access, Session extends SessionNeeded>(
  access: Who,
  session: Session | undefined,
  own: readonly Value[],
): (Value | AccessRefusal<Who, Session>)[] {
  const first = [
    ...(access === "anyone" ? [] : ["token"]),
    ...(access === "admin" ? ["no access"] : []),
    ...(session === undefined ? [] : ["session"]),
    ...(session === undefined || session === "begun" ? [] : ["proof"]),
  ] as (Value | AccessRefusal<Who, Session>)[]; // The compiler does not follow a condition.
  return [...first.filter((value) => !own.includes(value as Value)), ...own];
}

/** Declares a call and keeps its exact types. `refusals` are those of this call alone. */
export function endpoint<
  const Ask extends Fields,
  Reply extends z.ZodMiniType,
  const Who extends Access,
  const Value extends Refusal = never,
  const File extends Taken | undefined = undefined,
  const Session extends SessionNeeded = never,
>(
  declared: Omit<Endpoint<Ask, Reply, Value, Who, File>, "refusals" | "session"> & {
    readonly refusals?: readonly Value[];
    readonly session?: Session;
  },
): Endpoint<Ask, Reply, Value | AccessRefusal<Who, Session>, Who, File> {
  const { access, session, refusals = [] } = declared;
  return { ...declared, refusals: withAccessRefusals(access, session, refusals) };
}

/** Parameters whose header has another name. */
const headers: Readonly<Record<string, string>> = {
  client_order_id: "Idempotency-Key",
  last_event_id: "Last-Event-ID",
};

export function headerOf({ file }: Pick<Endpoint, "file">, name: string): string | undefined {
  const header = headers[name];
  if (header !== undefined || file === undefined) return header;
  return name.charAt(0).toUpperCase() + name.slice(1);
}

export type Asked<E extends Endpoint> = { [Name in keyof E["ask"]]: z.output<E["ask"][Name]["schema"]> };

type OptionalName<Ask extends Fields> = {
  [Name in keyof Ask]: undefined extends z.input<Ask[Name]["schema"]> ? Name : never;
}[keyof Ask];

export type Asking<E extends Endpoint> = {
  [Name in Exclude<keyof E["ask"], OptionalName<E["ask"]>>]: z.input<E["ask"][Name]["schema"]>;
} & { [Name in OptionalName<E["ask"]>]?: z.input<E["ask"][Name]["schema"]> };

export type Reply<E extends Endpoint> = z.output<E["reply"]>;

export type RefusalOf<E extends Endpoint> = E["refusals"][number];

export const methodsOf = ({ method, alsoPost }: Pick<Endpoint, "method" | "alsoPost">) =>
  alsoPost ? (["GET", "POST"] as const) : ([method] as const);

/**
 * With HEAD, which is answered as GET without a body (RFC 9110 §9.3.2), where a call only reads: it runs the handler, and could order.
 * A stream has no end.
 */
export function methodsWithHead(
  endpoint: Pick<Endpoint, "method" | "alsoPost" | "reads" | "carried">,
): string[] {
  const { method, alsoPost, reads, carried } = endpoint;
  const isReading = method === "GET" && (!alsoPost || reads === true) && carried !== "events";
  return [...methodsOf(endpoint), ...(isReading ? ["HEAD"] : [])];
}
