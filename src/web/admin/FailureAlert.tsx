import type { OfficeKey } from "../../i18n/t.ts";
import type { Refused } from "../api.ts";
import { useOfficeText } from "../language.tsx";
import { Notice } from "../ui/feedback/Notice.tsx";
import { useEditorRefusalText } from "./editorRefusalText.ts";

/** The failed action, in the words of spec O §8, and the refusal of the server. */
export interface Failure {
  alert: OfficeKey;
  refused: Refused<string> | undefined;
}

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
