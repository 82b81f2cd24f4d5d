import { useEffect } from "react";
import { useLocation } from "wouter";
import { Access } from "../admin/Access.tsx";
import { ErrorEdge } from "../ErrorEdge.tsx";
import { useOfficeText } from "../language.tsx";
import { officePage, type OfficeSection, officeSections, pageOf } from "../paths.ts";
import { Chains } from "./Chains.tsx";
import { Held } from "./Held.tsx";
import styles from "./Office.module.css";
import { OfficeNav } from "./OfficeNav.tsx";
import { Overview } from "./Overview.tsx";
import { groups } from "./sections.ts";
import type { TableName } from "./tables.ts";
import { TableView } from "./TableView.tsx";

/** The back office: what the shop does and has, and all that its administrators decide. */
export function Office() {
  const [pathname] = useLocation();
  const page = pageOf(pathname);
  const here = officeSections.find((section) => officePage(section) === page) ?? "overview";
  useTitle(here);
  return (
    <Access>
      <div data-wide className={styles.office}>
        <OfficeNav here={here} />
        <div className={styles.page}>
          <ErrorEdge key={here}>
            <Section section={here} />
          </ErrorEdge>
        </div>
      </div>
    </Access>
  );
}

/** Whoever has several sections open tells their tabs apart. */
function useTitle(here: OfficeSection) {
  const t = useOfficeText();
  const title = `${t(`office.section.${here}`)} · ${t("office.title")} · Postern`;
  // The title is outside React; the frame of all pages wrote its own a moment ago.
  useEffect(() => {
    document.title = title;
  }, [title]);
}

const tables: Partial<Record<OfficeSection, TableName>> = Object.fromEntries(
  Object.values(groups).flatMap((sections) =>
    sections.flatMap((one) => ("table" in one ? [[one.section, one.table]] : [])),
  ),
);

function Section({ section }: { section: OfficeSection }) {
  const t = useOfficeText();
  const title = t(`office.section.${section}`);
  const table = tables[section];
  return (
    <>
      <h1 className={styles.title}>{title}</h1>
      {section === "overview" && <Overview />}
      {section === "chains" && <Chains />}
      {section === "held" && <Held title={title} />}
      {table && <TableView name={table} title={title} />}
    </>
  );
}
