import { useText } from "../language.tsx";

/** Stands here until its own page is built. */
export function Dashboard() {
  const t = useText();
  return <h1>{t("meta.dashboard.title")}</h1>;
}
