import { readFailure } from "../../contract/webhook-failures.ts";
import { useAppText } from "../language.tsx";

/** Why an event did not arrive, in the reader's language; a sentence that this page does not know stays in English. */
export function FailureText({ sentence }: { sentence: string }) {
  const t = useAppText();
  const read = readFailure(sentence);
  if (read === undefined) return <bdi lang="en">{sentence}</bdi>;
  const { failure, holes } = read;
  // The last failure stands inside the sentence about three days.
  const inner = holes["failure"] === undefined ? undefined : readFailure(holes["failure"]);
  const last = inner && { failure: t(`webhook.failure.${inner.failure}`, inner.holes) };
  return <>{t(`webhook.failure.${failure}`, { ...holes, ...last })}</>;
}
