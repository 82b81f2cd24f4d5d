import { useAppText } from "../language.tsx";

/** The documentation of the API. */
export function Docs() {
  const t = useAppText();
  return <h1>{t("docs.title")}</h1>;
}
