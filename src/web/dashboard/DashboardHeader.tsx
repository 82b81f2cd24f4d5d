import type { ReactNode } from "react";
import type { Account } from "./account.ts";
import { Profile } from "./Profile.tsx";
import styles from "./DashboardHeader.module.css";

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
