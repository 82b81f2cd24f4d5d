import { BadgeCheck, Eye, EyeOff, MailWarning } from "lucide-react";
import { Link } from "wouter";
import { criticalStoryUsers } from "../../contract/limits.ts";
import { openAuth } from "../auth/authDialog.ts";
import { useAppText, useLanguage } from "../language.tsx";
import { paths } from "../paths.ts";
import { stored, useStored } from "../stored.ts";
import { Badge } from "../ui/feedback/Badge.tsx";
import { Button } from "../ui/button/Button.tsx";
import { Card } from "../ui/layout/Card.tsx";
import { CopyButton } from "../ui/button/CopyButton.tsx";
import { IconButton } from "../ui/button/IconButton.tsx";
import { Skeleton } from "../ui/feedback/Skeleton.tsx";
import type { Account } from "./account.ts";
import { AvatarPicker } from "./AvatarPicker.tsx";
import styles from "./Profile.module.css";

/** Greeting, name, id, activation, token (spec B §2); the link to the stories grants no right (spec O §2). */
export function Profile({ account }: { account: Account | undefined }) {
  const t = useAppText();
  const language = useLanguage();
  if (!account) return <LoadingSkeleton />;
  return (
    <Card className={styles.card} aria-label={t("profile.title")}>
      <AvatarPicker account={account} />
      <div className={styles.who}>
        <h1 className={styles.welcome}>
          {t("profile.welcome")} <bdi>{account.name}</bdi>
        </h1>
        <p className={styles.facts}>
          <span>
            {t("profile.id")} <bdi className={styles.id}>{account.id}</bdi>
          </span>
          <ActivationBadge active={account.active} />
          {criticalStoryUsers.includes(account.id) && (
            <Link href={paths.storiesAdmin(language)} className={styles.stories}>
              {t("profile.stories")}
            </Link>
          )}
        </p>
      </div>
      <Token token={account.token} />
    </Card>
  );
}

function ActivationBadge({ active }: { active: boolean }) {
  const t = useAppText();
  if (active) {
    return (
      <Badge tone="good" icon={<BadgeCheck aria-hidden />}>
        {t("profile.active")}
      </Badge>
    );
  }
  return (
    <>
      <Badge tone="warn" icon={<MailWarning aria-hidden />}>
        {t("profile.inactive")}
      </Badge>
      <Button tone="ghost" size="small" className={styles.activate} onClick={() => openAuth("activate")}>
        {t("order.locked.activate")}
      </Button>
    </>
  );
}

function Token({ token }: { token: string }) {
  const t = useAppText();
  const [shown, setShown] = useStored(stored.showToken);
  return (
    <div className={styles.token}>
      <span className={styles.label}>{t("profile.token")}</span>
      <code dir="ltr" className={styles.secret}>
        {shown ? token : `${"•".repeat(8)}${token.slice(-4)}`}
      </code>
      <IconButton
        label={t(shown ? "auth.token.hide" : "auth.token.show")}
        aria-pressed={shown}
        icon={shown ? <EyeOff aria-hidden size={17} /> : <Eye aria-hidden size={17} />}
        onClick={() => setShown(!shown)}
      />
      <CopyButton text={token} label={t("profile.copyToken")} />
    </div>
  );
}

function LoadingSkeleton() {
  const t = useAppText();
  return (
    <Card className={styles.card} aria-busy aria-label={t("profile.title")}>
      <Skeleton width="4rem" height="4rem" round />
      <div className={styles.who}>
        <Skeleton width="14rem" height="1.9rem" />
        <Skeleton width="9rem" height="1.25rem" />
      </div>
      <div className={styles.token}>
        <Skeleton height="1.25rem" />
      </div>
    </Card>
  );
}
