import { useEffect } from "react";
import { useLocation } from "wouter";
import { AdminAccess } from "../admin/AdminAccess.tsx";
import { ErrorBoundary } from "../ErrorBoundary.tsx";
import { useOfficeText } from "../language.tsx";
import { officePage, type OfficeSection, officeSections, pageOf } from "../paths.ts";
import { SectionContent } from "./SectionContent.tsx";
import styles from "./Office.module.css";
import { FactorNotice } from "./FactorNotice.tsx";
import { OfficeNav } from "./OfficeNav.tsx";

export function Office() {
  const [pathname] = useLocation();
  const page = pageOf(pathname);
  const here = officeSections.find((section) => officePage(section) === page) ?? "overview";
  useTitle(here);
  return (
    <AdminAccess>
      <div className={styles.office}>
        <OfficeNav here={here} />
        <div className={styles.page}>
          <FactorNotice />
          <ErrorBoundary key={here}>
            <Section section={here} />
          </ErrorBoundary>
        </div>
      </div>
    </AdminAccess>
  );
}

/** Titles tell the tabs of several sections apart. */
function useTitle(here: OfficeSection) {
  const t = useOfficeText();
  const title = `${t(`office.section.${here}`)} · ${t("office.title")} · Postern`;
  // Runs after the effect that sets the title of all pages.
  useEffect(() => {
    document.title = title;
  }, [title]);
}

function Section({ section }: { section: OfficeSection }) {
  const t = useOfficeText();
  const title = t(`office.section.${section}`);
  return (
    <>
      <h1 className={styles.title}>{title}</h1>
      <SectionContent section={section} title={title} />
    </>
  );
}
