import { Newspaper } from "lucide-react";
import { useEffect, useState } from "react";
import { useLocation } from "wouter";
import { AdminAccess } from "../admin/AdminAccess.tsx";
import { ErrorBoundary } from "../ErrorBoundary.tsx";
import { useLanguage, useOfficeText } from "../language.tsx";
import { isOfficeObject, officePage, type OfficeSection, officeSections, pageOf, paths } from "../paths.ts";
import { SectionContent } from "./SectionContent.tsx";
import styles from "./Office.module.css";
import { FactorNotice } from "./FactorNotice.tsx";
import { LinkButton } from "../ui/button/Button.tsx";
import { EmptyState } from "../ui/feedback/EmptyState.tsx";
import { objectPages } from "./objects/objectPages.ts";
import { useObjectId } from "./objects/ObjectPage.tsx";
import { OfficePalette } from "./palette/OfficePalette.tsx";
import { OfficeNav } from "./OfficeNav.tsx";
import { usePaletteKeys } from "../palette/usePaletteKeys.ts";
import { useOwnRole } from "./useMayDo.ts";

export function Office() {
  const [pathname] = useLocation();
  const page = pageOf(pathname);
  const here = officeSections.find((section) => officePage(section) === page) ?? "overview";
  useTitle(here);
  return (
    <AdminAccess>
      <Desk here={here} />
    </AdminAccess>
  );
}

/** Once it is known that an administrator looks at it. */
function Desk({ here }: { here: OfficeSection }) {
  const [isFinding, setFinding] = useState(false);
  const role = useOwnRole();
  usePaletteKeys(() => setFinding(role !== "editor"));
  return (
    <>
      <div className={styles.office}>
        <OfficeNav here={here} onFind={role === "editor" ? undefined : () => setFinding(true)} />
        <div data-settles className={styles.page}>
          <FactorNotice />
          <ErrorBoundary key={here}>
            <Content here={here} />
          </ErrorBoundary>
        </div>
      </div>
      {isFinding && <OfficePalette onClose={() => setFinding(false)} />}
    </>
  );
}

/** An editor has the stories and announcements, and no section of the office. */
function Content({ here }: { here: OfficeSection }) {
  const t = useOfficeText();
  const language = useLanguage();
  if (useOwnRole() !== "editor") return <Section section={here} />;
  return (
    <>
      <h1 className={styles.title}>{t("office.title")}</h1>
      <EmptyState
        icon={<Newspaper aria-hidden size={22} />}
        title={t("office.editor")}
        action={
          <LinkButton size="small" href={paths.storiesAdmin(language)}>
            {t("office.stories")}
          </LinkButton>
        }
      >
        {t("office.editor.text")}
      </EmptyState>
    </>
  );
}

/** Titles tell the tabs of several sections apart. */
function useTitle(here: OfficeSection) {
  const t = useOfficeText();
  const id = useObjectId();
  const name = isOfficeObject(here) ? t(`office.object.${here}`, { id }) : t(`office.section.${here}`);
  const title = `${name} · ${t("office.title")} · Postern`;
  // Runs after the effect that sets the title of all pages.
  useEffect(() => {
    document.title = title;
  }, [title]);
}

function Section({ section }: { section: OfficeSection }) {
  const t = useOfficeText();
  if (isOfficeObject(section)) {
    const ObjectPage = objectPages[section];
    return <ObjectPage />;
  }
  const title = t(`office.section.${section}`);
  return (
    <>
      <h1 className={styles.title}>{title}</h1>
      <SectionContent section={section} title={title} />
    </>
  );
}
