import { readFailure } from "../../contract/webhook-failures.ts";
import { useAccountText } from "../language.tsx";

/** Why a delivery failed, in the reader's language; an unknown sentence stays in English. */
export function FailureText({ sentence }: { sentence: string }) {
  const t = useAccountText();
  const read = readFailure(sentence);
  if (read === undefined) return <bdi lang="en">{sentence}</bdi>;
  const { failure, holes } = read;
  // The sentence about three days contains the last failure.
  const inner = holes["failure"] === undefined ? undefined : readFailure(holes["failure"]);
  const last = inner && { failure: t(`webhook.failure.${inner.failure}`, inner.holes) };
  return <>{t(`webhook.failure.${failure}`, { ...holes, ...last })}</>;
}
