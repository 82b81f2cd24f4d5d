import { Code, Inbox, ReceiptText } from "lucide-react";
import { Link, useLocation } from "wouter";
import { useAppText, useLanguage } from "../language.tsx";
import { pageOf, paths } from "../paths.ts";
import styles from "./DashboardNav.module.css";

const pages = [
  { to: "dashboard", page: "dashboard", label: "dashboard.orders", Icon: Inbox },
  { to: "programs", page: "dashboard/api", label: "programs.title", Icon: Code },
  { to: "statement", page: "dashboard/statement", label: "statement.title", Icon: ReceiptText },
] as const;

/** The pages of the account. */
export function DashboardNav() {
  const t = useAppText();
  const language = useLanguage();
  const [pathname] = useLocation();
  const here = pageOf(pathname);
  return (
    <nav aria-label={t("nav.dashboard")} className={styles.nav}>
      {pages.map(({ to, page, label, Icon }) => (
        <Link
          key={to}
          href={paths[to](language)}
          className={styles.link}
          aria-current={here === page ? "page" : undefined}
        >
          <Icon aria-hidden size={16} className={styles.icon} />
          {t(label)}
        </Link>
      ))}
    </nav>
  );
}
