import { SearchX } from "lucide-react";
import { useAppText } from "../../language.tsx";
import { Button } from "../../ui/button/Button.tsx";
import { EmptyState } from "../../ui/feedback/EmptyState.tsx";
import styles from "./ListTools.module.css";
import { noFilters } from "./listQuery.ts";
import { useListQuery } from "./useListQuery.ts";

/** Where a search or filters leave nothing. */
export function NothingFound() {
  const t = useAppText();
  const [, change] = useListQuery();
  const clear = (
    <Button tone="secondary" size="small" onClick={() => change({ search: "", ...noFilters })}>
      {t("find.clear")}
    </Button>
  );
  return (
    <EmptyState icon={<SearchX aria-hidden size={22} />} title={t("find.nothing")} action={clear}>
      {t("find.nothing.text")}
    </EmptyState>
  );
}

/** Older orders were not looked at. */
export function CutNote() {
  return <p className={styles.cut}>{useAppText()("find.cut")}</p>;
}
