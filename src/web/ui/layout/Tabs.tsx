import { type KeyboardEvent, type ReactNode, useId, useRef } from "react";
import { classNames } from "./classNames.ts";
import styles from "./Tabs.module.css";

export interface Tab<Id extends string> {
  id: Id;
  label: string;
  icon?: ReactNode;
  badge?: ReactNode;
}

interface TabsProps<Id extends string> {
  label: string;
  tabs: readonly Tab<Id>[];
  active: Id;
  onSelect: (id: Id) => void;
  look?: "line" | "switch";
  children: ReactNode;
}

/** Tabs with the panel of the active one. Arrow keys follow the reading direction. */
export function Tabs<Id extends string>({
  label,
  tabs,
  active,
  onSelect,
  look = "line",
  children,
}: TabsProps<Id>) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const choose = (index: number) => {
    const tab = tabs.at(index % tabs.length);
    if (!tab) return;
    onSelect(tab.id);
    list.current?.querySelector<HTMLElement>(`[data-tab="${tab.id}"]`)?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const now = tabs.findIndex((tab) => tab.id === active);
    const backwards = list.current?.matches(":dir(rtl)") ? "ArrowRight" : "ArrowLeft";
    if (event.key === "Home") choose(0);
    else if (event.key === "End") choose(-1);
    else if (event.key === backwards) choose(now - 1);
    else if (event.key === "ArrowLeft" || event.key === "ArrowRight") choose(now + 1);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <div
        ref={list}
        role="tablist"
        aria-label={label}
        className={classNames(styles.list, styles[look])}
        onKeyDown={onKeyDown}
      >
        {tabs.map((tab) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            id={`${id}-${tab.id}`}
            data-tab={tab.id}
            aria-selected={tab.id === active}
            aria-controls={`${id}-panel`}
            tabIndex={tab.id === active ? 0 : -1}
            className={styles.tab}
            onClick={() => onSelect(tab.id)}
          >
            {tab.icon}
            <span>{tab.label}</span>
            {tab.badge}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${active}`} className={styles.panel}>
        {children}
      </div>
    </>
  );
}
