import type { Alternative, AnyRefused, WayOut } from "./request.ts";
import type { Refusal, TryAgain } from "./wire.ts";

/** The shop's refusal, or `connection` when it did not answer. */
export type PosternErrorValue = Refusal | TryAgain | "connection";

/** Thrown for every refusal: `if (error instanceof PosternError && error.value === "no balance")`. */
export class PosternError extends Error {
  override readonly name = "PosternError";
  /** One of the short strings of the documentation. */
  readonly value: PosternErrorValue;
  /** Details: `parameter`, `missing`, `alternatives`, `did_you_mean`, `retry_after`, `reason`. */
  readonly more: WayOut;

  readonly tries: number;

  constructor({ refused, cause, tries = 1 }: { refused: AnyRefused; cause?: unknown; tries?: number }) {
    const { value, more } = refused;
    super(more.hint === undefined ? value : `${value}: ${more.hint}`, cause === undefined ? {} : { cause });
    this.value = value;
    this.more = more;
    this.tries = tries;
  }

  /** With `no emails`: mail domains that have addresses for the site now; otherwise empty. */
  get alternatives(): readonly Alternative[] {
    return this.more.alternatives ?? [];
  }
}

/** No answer, or one that is not the shop's; the innermost cause has the reason. */
export function noConnection(url: string, cause: unknown): AnyRefused {
  let reason = cause;
  while (reason instanceof Error && reason.cause !== undefined) reason = reason.cause;
  const why = reason instanceof Error ? reason.message || reason.name : String(reason);
  const hint = `The shop at ${url} gave no answer that can be read (${why}).`;
  return { ok: false, value: "connection", more: { hint } };
}
