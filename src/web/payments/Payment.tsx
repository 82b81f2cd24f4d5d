import { useText } from "../language.tsx";

/** Stands here until its own page is built. */
export function Payment() {
  const t = useText();
  return <h1>{t("meta.payment.title")}</h1>;
}
