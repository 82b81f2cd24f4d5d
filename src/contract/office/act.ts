// An act of the back office, declared once: its call, its dialog, its command, its line of the journal and its documentation follow.
import type * as z from "zod/mini";
import {
  type AccessRefusal,
  type Endpoint,
  type Fields,
  type OfficeRole,
  withAccessRefusals,
} from "../endpoint.ts";
import type { Refusal } from "../refusals.ts";

/** `always`: nobody acts without one. `by page`: the page asks for one, a command may leave it out. */
export type Reason = "always" | "by page" | "never";

/** How the operator's command says an act. Its key is the words and then the parameters that follow them: "users block <user>". */
export interface Command {
  /** What it does, for its help and the documentation. */
  readonly about: string;
  /** The answer in a sentence: `{name}` is a parameter or a field of the answer. Several are by its `state`. */
  readonly done: string | Readonly<Record<string, string>>;
  /** Parameters whose value the words say. */
  readonly sets?: Readonly<Record<string, string>>;
  /** Parameters that have a value if they are left out. */
  readonly usually?: Readonly<Record<string, string>>;
  /** Parameters whose option has another name. */
  readonly called?: Readonly<Record<string, string>>;
  /** The words that undo it. */
  readonly undo: string | false;
}

export interface Act<
  Ask extends Fields = Fields,
  Reply extends z.ZodMiniType = z.ZodMiniType,
  Value extends Refusal = Refusal,
  Why extends Reason = Reason,
  Commands extends Readonly<Record<string, Command>> = Readonly<Record<string, Command>>,
> extends Endpoint<Ask, Reply, Value, "admin", undefined> {
  /** Whose work it is. An owner may do everything. */
  readonly role: OfficeRole;
  /** Whether the person must have proved anew who it is: so for money, prices, accounts and where passwords are sent. */
  readonly proof: boolean;
  readonly reason: Why;
  /** The words of each are what the journal says of it. */
  readonly commands: Commands;
}

type Derived = "method" | "access" | "session" | "refusals" | "proof";

/** Declares an act. The refusals of all calls of the back office need not be named. */
export function act<
  const Ask extends Fields,
  Reply extends z.ZodMiniType,
  const Value extends Refusal,
  const Why extends Reason,
  const Commands extends Readonly<Record<string, Command>>,
  const Proof extends boolean,
>(
  declared: Omit<Act<Ask, Reply, Value, Why, Commands>, Derived> & {
    readonly proof: Proof;
    readonly refusals: readonly Value[];
  },
): Act<Ask, Reply, Value | AccessRefusal<"admin", SessionOf<Proof>>, Why, Commands> {
  const session = (declared.proof ? "proved" : "begun") as SessionOf<Proof>;
  const refusals = withAccessRefusals("admin", session, declared.refusals);
  return { method: "POST", access: "admin", ...declared, session, refusals };
}

type SessionOf<Proof extends boolean> = Proof extends true ? "proved" : "begun";

/** "users block" of "users block <user>". */
export type WordsOf<Line> = Line extends `${infer Words} <${string}` ? Words : Line;

/** The words of a command without its parameters. */
export const wordsOf = (line: string): string => line.replace(/ <.*/, "");
