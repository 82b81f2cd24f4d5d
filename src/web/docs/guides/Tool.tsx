import { useDocsText } from "../../language.tsx";
import { useServerData } from "../../serverData.tsx";
import { CodeSample } from "../code/CodeSample.tsx";
import { useDocsSession } from "../docsSession.tsx";
import { toolSamples } from "./samples/toolSamples.ts";

/** A file for the settings or tests of a tool. */
export function Tool({ of, name }: { of: string; name: keyof typeof toolSamples }) {
  const t = useDocsText();
  const { publicUrl, domains } = useServerData();
  const { sampleToken } = useDocsSession();
  const { title, language, write } = toolSamples[name];
  const domain = domains[0]?.name ?? "letters.test";
  const text = write({ base: publicUrl, domain, token: sampleToken });
  return <CodeSample of={of} title={title} copy={t("docs.copy.code")} language={language} text={text} />;
}
