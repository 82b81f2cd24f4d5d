import { Link2 } from "lucide-react";
import type { ReactNode } from "react";
import { isolated } from "../format.ts";
import { useDocsText } from "../language.tsx";
import styles from "./Call.module.css";

interface DocsSectionProps {
  id: string;
  title: string;
  /** Its name on the wire. */
  wire?: string;
  children: ReactNode;
}

export function DocsSection({ id, title, wire, children }: DocsSectionProps) {
  const t = useDocsText();
  return (
    <section id={id} aria-labelledby={`${id}-title`} className={styles.call}>
      <div className={styles.top}>
        <h2 id={`${id}-title`} className={styles.title}>
          {title}
          {wire !== undefined && (
            <>
              {" "}
              <code dir="ltr" className={styles.wire}>
                {wire}
              </code>
            </>
          )}
        </h2>
        <a href={`#${id}`} aria-label={t("docs.anchor", { name: isolated(title) })} className={styles.anchor}>
          <Link2 aria-hidden size={18} />
        </a>
      </div>
      {children}
    </section>
  );
}
