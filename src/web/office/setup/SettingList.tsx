import type { ReactNode } from "react";
import styles from "./Setup.module.css";
import { Exact } from "../../ui/display/Exact.tsx";

export function SettingList({ children }: { children: ReactNode }) {
  return <dl className={styles.facts}>{children}</dl>;
}

export function Setting({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt className={styles.soft}>{name}</dt>
      <dd>
        <Exact>{value}</Exact>
      </dd>
    </div>
  );
}
