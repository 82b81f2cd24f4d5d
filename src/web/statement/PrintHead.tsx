import { useAccount } from "../dashboard/account.ts";
import { useAccountText } from "../language.tsx";
import { hasPeriod } from "../period/period.ts";
import { periodText } from "../period/periodText.ts";
import { Exact } from "../ui/display/Exact.tsx";
import { StatementSums } from "./StatementSums.tsx";
import styles from "./Statement.module.css";
import type { StatementPeriod, StatementQuery } from "./statement.ts";

interface PrintHeadProps {
  query: StatementQuery;
  sums: StatementPeriod | undefined;
  /** Not all movements are on the page. */
  isPart: boolean;
  /** Whose statement it is, if not the reader's. */
  owner: string | undefined;
}

/** What paper says above the movements: whose they are, of which time and kinds, and the balances around them. */
export function PrintHead({ query, sums, isPart, owner }: PrintHeadProps) {
  const t = useAccountText();
  const account = useAccount().data;
  const { book, kinds } = query;
  const facts = [
    t(`statement.book.${book}`),
    hasPeriod(query) ? periodText(t, query, "days") : t("statement.all"),
    ...kinds.map((kind) => t(`statement.kind.${kind}`)),
  ];
  return (
    <div className={styles.printHead}>
      <p className={styles.owner}>
        <Exact>{owner ?? (account ? `${account.name} · ${account.id}` : "")}</Exact>
      </p>
      <p>
        <bdi>{facts.join(" · ")}</bdi>
      </p>
      {sums && <StatementSums sums={sums} />}
      {isPart && <p>{t("statement.print.part")}</p>}
    </div>
  );
}
