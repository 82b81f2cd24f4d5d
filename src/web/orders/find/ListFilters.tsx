import { X } from "lucide-react";
import { useId } from "react";
import type { OrderState } from "../../../contract/order-states.ts";
import { fetchFile } from "../../api.ts";
import { DownloadButton } from "../../DownloadButton.tsx";
import { useAppText } from "../../language.tsx";
import { PeriodChips } from "../../period/PeriodChips.tsx";
import { refusalText } from "../../refusalText.ts";
import { Button } from "../../ui/button/Button.tsx";
import { TextField, verbatim } from "../../ui/form/Input.tsx";
import { SelectField } from "../../ui/form/Select.tsx";
import { filtersIn, filtersOf, type ListQuery, noFilters } from "../list/listQuery.ts";
import { stateTexts } from "./FilterLine.tsx";
import styles from "./ListFilters.module.css";
import { useOwnNames } from "./useOwnNames.ts";

interface ListFiltersProps {
  query: ListQuery;
  change: (more: Partial<ListQuery>) => void;
  states: readonly OrderState[];
}

export function ListFilters({ query, change, states }: ListFiltersProps) {
  const t = useAppText();
  const own = useOwnNames();
  const words = states.map((state) => ({ value: state, label: t(stateTexts[state]) }));
  return (
    <div className={styles.filters}>
      <SelectField
        label={t("find.state")}
        value={query.state}
        choices={[{ value: "", label: t("find.any") }, ...words]}
        onChange={({ target }) => change({ state: states.find((state) => state === target.value) ?? "" })}
      />
      <NameField
        label={t("find.site")}
        value={query.site}
        own={own.sites}
        onValue={(site) => change({ site })}
      />
      <NameField
        label={t("find.domain")}
        value={query.domain}
        own={own.domains}
        onValue={(domain) => change({ domain })}
      />
      <div className={styles.period}>
        <PeriodChips period={query} onPeriod={change} />
        <span className={styles.acts}>
          <Button
            tone="ghost"
            size="small"
            icon={<X aria-hidden size={16} />}
            disabled={filtersIn(query) === 0}
            onClick={() => change(noFilters)}
          >
            {t("find.clear")}
          </Button>
          <DownloadButton
            name="activations"
            fetchFile={() => fetchFile("historyFile", filtersOf(query))}
            refusalText={(refused) => refusalText(t, refused)}
          >
            {t("find.file")}
          </DownloadButton>
        </span>
      </div>
    </div>
  );
}

interface NameFieldProps {
  label: string;
  value: string;
  /** What the browser suggests. */
  own: readonly string[];
  onValue: (value: string) => void;
}

/** Counts when the reader leaves it, presses Enter or takes a suggestion: a half-typed name is no site. */
function NameField({ label, value, own, onValue }: NameFieldProps) {
  const id = useId();
  const take = (typed: string) => {
    if (typed.trim() !== value) onValue(typed.trim());
  };
  return (
    <>
      <TextField
        {...verbatim}
        key={value}
        label={label}
        defaultValue={value}
        list={id}
        onChange={({ target }) => own.includes(target.value) && take(target.value)}
        onBlur={({ target }) => take(target.value)}
        onKeyDown={(event) => event.key === "Enter" && take(event.currentTarget.value)}
      />
      <datalist id={id}>
        {own.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  );
}
