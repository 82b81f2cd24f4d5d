import { ListFilter, Search } from "lucide-react";
import { useEffect, useState } from "react";
import { listSizes, pageSize, searchLengthMax } from "../../../contract/limits.ts";
import type { OrderState } from "../../../contract/order-states.ts";
import { useAppText } from "../../language.tsx";
import { stored, useStored } from "../../stored.ts";
import { Button } from "../../ui/button/Button.tsx";
import { IconButton } from "../../ui/button/IconButton.tsx";
import { Input, verbatim } from "../../ui/form/Input.tsx";
import { Select } from "../../ui/form/Select.tsx";
import { FilterLine } from "../find/FilterLine.tsx";
import { ListFilters } from "../find/ListFilters.tsx";
import styles from "./ListTools.module.css";
import { filtersIn, isNarrowed } from "./listQuery.ts";
import { useListQuery } from "./useListQuery.ts";

const typedMilliseconds = 250;

interface Shown {
  isLoading: boolean;
  count: number;
  pages: number;
}

/** Whether the tools are shown: from a full page on, where they are in use, and when the reader asks for them. */
export function useListTools({ isLoading, count, pages }: Shown) {
  const [query] = useListQuery();
  const [wasLong, setWasLong] = useStored(stored.longList);
  const [isAsked, setAsked] = useState(false);
  const [wasUsed, setUsed] = useState(false);
  const isInUse = isNarrowed(query) || query.size !== pageSize;
  const isLong = count >= pageSize || pages > 1;
  // Until the list is there the room is as it was last.
  useEffect(() => {
    if (!isLoading && !isInUse) setWasLong(isLong);
  }, [isLoading, isInUse, isLong, setWasLong]);
  // A search that is cleared must not take its field away.
  if (isInUse && !wasUsed) setUsed(true);
  const mayFold = !isInUse && !(isLoading ? wasLong : isLong);
  const isShown = !mayFold || isAsked || wasUsed;
  const toggle = () => {
    setAsked(!isShown);
    setUsed(false);
  };
  return { mayFold, isShown, isAsked, toggle };
}

/** Shows the tools of a short list. */
export function FindButton({ tools }: { tools: ReturnType<typeof useListTools> }) {
  const t = useAppText();
  if (!tools.mayFold) return null;
  return (
    <IconButton
      label={t("find.title")}
      data-shortcut="find"
      aria-expanded={tools.isShown}
      icon={<Search aria-hidden size={17} />}
      onClick={tools.toggle}
    />
  );
}

interface ListToolsProps {
  /** Those that the list can have. */
  states: readonly OrderState[];
  /** Whether the reader has just asked for the tools. */
  isAsked: boolean;
  /** How many orders fit; undefined until it is known. */
  found: number | undefined;
}

/** Search, filters and rows per page. */
export function ListTools({ states, isAsked, found }: ListToolsProps) {
  const t = useAppText();
  const [query, change] = useListQuery();
  const [isOpen, setOpen] = useState(false);
  const count = filtersIn(query);
  return (
    <search className={styles.tools} aria-label={t("find.title")}>
      <div className={styles.line}>
        <SearchBox isAsked={isAsked} text={query.search} onText={(search) => change({ search })} />
        <Button
          tone="secondary"
          size="small"
          className={styles.filter}
          aria-expanded={isOpen}
          icon={<ListFilter aria-hidden size={16} />}
          onClick={() => setOpen(!isOpen)}
        >
          {count > 0 ? t("find.filters.set", { count }) : t("find.filters")}
        </Button>
        <Select
          aria-label={t("find.rows")}
          className={styles.rows}
          value={String(query.size)}
          choices={listSizes.map((size) => ({ value: String(size), label: String(size) }))}
          onChange={({ target }) => change({ size: Number(target.value) })}
        />
      </div>
      {isOpen && <ListFilters query={query} change={change} states={states} />}
      {isNarrowed(query) && <FilterLine query={query} change={change} found={found} />}
    </search>
  );
}

interface SearchBoxProps {
  isAsked: boolean;
  text: string;
  onText: (text: string) => void;
}

/** The text goes to the address a moment after the last key. */
function SearchBox({ isAsked, text, onText }: SearchBoxProps) {
  const t = useAppText();
  const [typed, setTyped] = useState(text);
  const [known, setKnown] = useState(text);
  // The address was changed elsewhere: back, or a cleared search.
  if (known !== text) {
    setKnown(text);
    setTyped(text);
  }
  useEffect(() => {
    if (typed === text) return undefined;
    const timer = setTimeout(() => onText(typed), typedMilliseconds);
    return () => clearTimeout(timer);
  }, [typed, text, onText]);
  return (
    <span className={styles.search}>
      <Search aria-hidden size={16} className={styles.icon} />
      <Input
        {...verbatim}
        type="search"
        // An empty field has the direction of the page, as its icon and placeholder have.
        dir={typed === "" ? undefined : "auto"}
        data-shortcut="search"
        autoFocus={isAsked}
        aria-label={t("find.search")}
        placeholder={t("find.search")}
        maxLength={searchLengthMax}
        className={styles.box}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        onKeyDown={(event) => {
          if (event.key !== "Escape" || typed === "") return;
          event.preventDefault();
          setTyped("");
        }}
      />
    </span>
  );
}
