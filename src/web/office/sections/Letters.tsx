import { useLocation, useSearch } from "wouter";
import { useOfficeText } from "../../language.tsx";
import { Tabs } from "../../ui/layout/Tabs.tsx";
import { letterActions, letterTableActions } from "../actions/letters.tsx";
import styles from "../Office.module.css";
import { PostmasterLetters } from "./PostmasterLetters.tsx";
import { TableView } from "../table/TableView.tsx";

const tabs = ["turned_away", "postmaster"] as const;

export function Letters() {
  const t = useOfficeText();
  const [pathname, navigate] = useLocation();
  const asked = new URLSearchParams(useSearch()).get("tab");
  const active = tabs.find((tab) => tab === asked) ?? "turned_away";
  return (
    <div>
      <Tabs
        label={t("office.letters.tabs")}
        active={active}
        onSelect={(tab) => navigate(tab === "turned_away" ? pathname : `${pathname}?tab=${tab}`)}
        tabs={tabs.map((id) => ({ id, label: t(`office.letters.${id}`) }))}
      >
        <div className={styles.page}>
          {active === "postmaster" ? (
            <PostmasterLetters title={t("office.letters.postmaster")} />
          ) : (
            <TableView
              name="turned_away"
              title={t("office.letters.turned_away")}
              actions={letterActions}
              tableActions={letterTableActions}
            />
          )}
        </div>
      </Tabs>
    </div>
  );
}
