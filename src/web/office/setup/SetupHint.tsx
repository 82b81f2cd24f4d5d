import { useQuery } from "@tanstack/react-query";
import { api } from "../../api.ts";
import { useLanguage, useOfficeText } from "../../language.tsx";
import { paths } from "../../paths.ts";
import { dataOf } from "../../serverState.tsx";
import { LinkButton } from "../../ui/button/Button.tsx";
import { Notice } from "../../ui/feedback/Notice.tsx";

/** Links to the first run until it is complete, except in a demonstration. */
export function SetupHint() {
  const t = useOfficeText();
  const language = useLanguage();
  const { data } = useQuery({
    queryKey: ["setup"],
    queryFn: ({ signal }) => dataOf(api.setup({}, { signal })),
    staleTime: 60_000,
  });
  if (!data || data.done || data.demo) return null;
  return (
    <Notice
      title={t("setup.hint")}
      action={
        <LinkButton tone="secondary" size="small" href={paths.office(language, "setup")}>
          {t("setup.hint.open")}
        </LinkButton>
      }
    />
  );
}
