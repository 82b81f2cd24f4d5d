import { Code } from "lucide-react";
import type { Account } from "../dashboard/account.ts";
import { useAppText } from "../language.tsx";
import { Card } from "../ui/layout/Card.tsx";
import { CopyButton } from "../ui/button/CopyButton.tsx";
import styles from "./Partner.module.css";

/** The id that programs send with orders for their maker's earnings, and a sample call (spec O §2). */
export function SoftId({ account }: { account: Account }) {
  const t = useAppText();
  const { id } = account.soft;
  return (
    <Card className={styles.tool} aria-labelledby="soft-title">
      <h2 id="soft-title" className={styles.heading}>
        <Code aria-hidden size={18} />
        {t("partner.soft.title")}
      </h2>
      <p className={styles.text}>{t("partner.soft.text")}</p>
      <div className={styles.copied}>
        <code dir="ltr" className={styles.code}>
          {parameter(id)}
        </code>
      </div>
      <div className={styles.actions}>
        <CopyButton words text={orderCall(location.origin, id)} label={t("partner.soft.copy")} />
      </div>
    </Card>
  );
}

const parameter = (id: string): string => `soft_id=${id}`;

const orderCall = (origin: string, id: string): string =>
  `${origin}/email/order?token={token}&site={site}&domain={domain}&regex={regex}&subject={subject}&${parameter(id)}`;
