import { ArrowLeft, ChevronDown, Newspaper, Search } from "lucide-react";
import { Link } from "wouter";
import { useLanguage, useOfficeText } from "../language.tsx";
import { type OfficeSection, paths } from "../paths.ts";
import { useServerData } from "../serverData.tsx";
import styles from "./OfficeNav.module.css";
import { useOwnRole } from "./useMayDo.ts";
import { groupNames, groups } from "./sectionGroups.ts";

interface OfficeNavProps {
  here: OfficeSection;
  /** Opens the palette; left out where there is none. */
  onFind: (() => void) | undefined;
}

export function OfficeNav({ here, onFind }: OfficeNavProps) {
  const t = useOfficeText();
  return (
    <nav aria-label={t("office.title")} className={styles.nav}>
      {onFind && (
        <button type="button" aria-keyshortcuts="Control+K /" className={styles.find} onClick={onFind}>
          <Search aria-hidden size={16} />
          {t("office.palette")}
          <kbd aria-hidden className={styles.key}>
            Ctrl K
          </kbd>
        </button>
      )}
      <div className={styles.side}>
        <Links here={here} />
      </div>
      {/* The key closes the menu after a followed link. */}
      <details key={here} className={styles.menu}>
        <summary className={styles.summary}>
          <span className={styles.soft}>{t("office.title")}</span>
          <span className={styles.here}>{t(`office.section.${here}`)}</span>
          <ChevronDown aria-hidden size={16} className={styles.chevron} />
        </summary>
        <Links here={here} />
      </details>
    </nav>
  );
}

function Links({ here }: { here: OfficeSection }) {
  const t = useOfficeText();
  const language = useLanguage();
  const { withdrawals } = useServerData();
  const shownOf = (group: (typeof groupNames)[number]) =>
    groups[group].filter(({ section }) => section !== "withdrawals" || withdrawals === "on");
  return (
    <>
      {useOwnRole() !== "editor" &&
        groupNames.map((group) => (
          <div key={group} className={styles.group}>
            <p className={styles.name}>{t(`office.group.${group}`)}</p>
            <ul className={styles.links}>
              {shownOf(group).map(({ section, Icon }) => (
                <li key={section}>
                  <Link
                    href={paths.office(language, section)}
                    className={styles.link}
                    aria-current={section === here ? "page" : undefined}
                  >
                    <Icon aria-hidden size={16} className={styles.icon} />
                    {t(`office.section.${section}`)}
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        ))}
      <Link href={paths.storiesAdmin(language)} className={styles.link}>
        <Newspaper aria-hidden size={16} className={styles.icon} />
        {t("office.stories")}
      </Link>
      <Link href={paths.dashboard(language)} className={styles.link}>
        <ArrowLeft aria-hidden data-mirrored size={16} className={styles.back} />
        {t("office.back")}
      </Link>
    </>
  );
}
