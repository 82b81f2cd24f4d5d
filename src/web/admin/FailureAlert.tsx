import type { OfficeKey } from "../../i18n/t.ts";
import type { Refused } from "../api.ts";
import { useOfficeText } from "../language.tsx";
import { Notice } from "../ui/feedback/Notice.tsx";
import { useEditorRefusalText } from "./editorRefusalText.ts";

/** What could not be done, in the words of spec O §8, and what the server said to it. */
export interface Failure {
  alert: OfficeKey;
  refused: Refused<string> | undefined;
}

/** An alert that stays until the next try. */
export function FailureAlert({ failure }: { failure: Failure | undefined }) {
  const t = useOfficeText();
  const refusalText = useEditorRefusalText();
  if (!failure) return null;
  return (
    <Notice tone="bad" title={t(failure.alert)}>
      {failure.refused && refusalText(failure.refused)}
    </Notice>
  );
}
