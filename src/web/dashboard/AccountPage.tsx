import type { ReactNode } from "react";
import { ServerState } from "../serverState.tsx";
import styles from "./AccountPage.module.css";
import { DashboardNav } from "./DashboardNav.tsx";

interface AccountPageProps {
  title: string;
  lead?: string;
  actions?: ReactNode;
  children: ReactNode;
}

/** A page of the account below its navigation; provides the server state. */
export function AccountPage({ title, lead, actions, children }: AccountPageProps) {
  return (
    <ServerState>
      <div data-settles className={styles.page}>
        <DashboardNav />
        <header className={styles.top}>
          <div>
            <h1 className={styles.title}>{title}</h1>
            {lead !== undefined && <p className={styles.lead}>{lead}</p>}
          </div>
          {actions}
        </header>
        {children}
      </div>
    </ServerState>
  );
}
