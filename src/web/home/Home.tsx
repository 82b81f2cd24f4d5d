import { useText } from "../language.tsx";

export function Home() {
  const t = useText();
  return <h1>{t("home.title")}</h1>;
}
