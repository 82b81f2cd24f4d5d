import type { Endpoints } from "../../contract/api.ts";
import type { Reply } from "../../contract/endpoint.ts";
import { balance as money, isolated, moment } from "../format.ts";
import { useAccountText, useLanguage } from "../language.tsx";
import { Notice } from "../ui/feedback/Notice.tsx";

type Stats = Reply<Endpoints["investorStats"]>;

const isSome = (amount: string | undefined): amount is string => Number(amount ?? 0) > 0;

export function HeldNotice({ stats }: { stats: Stats }) {
  const t = useAccountText();
  const language = useLanguage();
  const { held_amount: held, held_operator: operator, held_next: next } = stats;
  if (!isSome(held)) return null;
  const shown = (amount: string) => isolated(money(language, amount));
  return (
    <Notice title={t("investor.held", { amount: shown(held) })}>
      {t("investor.held.why")}
      {next !== null && next !== undefined && ` ${t("investor.held.next", { date: isolated(moment(next)) })}`}
      {isSome(operator) && ` ${t("investor.held.operator", { amount: shown(operator) })}`}
    </Notice>
  );
}
