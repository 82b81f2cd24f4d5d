import type { ReactNode } from "react";
import type { Account } from "./account.ts";
import { Profile } from "./Profile.tsx";
import styles from "./DashboardHeader.module.css";

/** What a mode of the dashboard begins with: who is there, and beside it the money that the mode is about. */
export function DashboardHeader({
  account,
  children,
}: {
  account: Account | undefined;
  children: ReactNode;
}) {
  return (
    <div className={styles.top}>
      <Profile account={account} />
      {children}
    </div>
  );
}
