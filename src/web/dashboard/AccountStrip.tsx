import { BadgeCheck, ChevronDown, Eye, EyeOff, MailWarning } from "lucide-react";
import { useState } from "react";
import { Link } from "wouter";
import { criticalStoryUsers } from "../../contract/limits.ts";
import { openAuth } from "../auth/authDialog.ts";
import { useAppText, useLanguage } from "../language.tsx";
import { paths } from "../paths.ts";
import { stored, useStored } from "../stored.ts";
import { StoriesRow } from "../stories/StoriesRow.tsx";
import { Badge } from "../ui/feedback/Badge.tsx";
import { Button } from "../ui/button/Button.tsx";
import { Card } from "../ui/layout/Card.tsx";
import { classNames } from "../ui/layout/classNames.ts";
import { CopyButton } from "../ui/button/CopyButton.tsx";
import { IconButton } from "../ui/button/IconButton.tsx";
import { Skeleton } from "../ui/feedback/Skeleton.tsx";
import type { Account } from "./account.ts";
import styles from "./AccountStrip.module.css";
import { AvatarPicker } from "./AvatarPicker.tsx";
import { Balance } from "./Balance.tsx";
import { Exact } from "../ui/display/Exact.tsx";

interface AccountStripProps {
  account: Account | undefined;
  onTopUp: () => void;
}

/** Greeting, name, id, activation, token, balance (spec B §2) and stories; on a phone one line that opens. */
export function AccountStrip({ account, onTopUp }: AccountStripProps) {
  const t = useAppText();
  const [isOpen, setOpen] = useState(false);
  return (
    <Card className={classNames(styles.strip, !isOpen && styles.folded)} aria-label={t("profile.title")}>
      {account ? <Identity account={account} /> : <IdentitySkeleton />}
      <Balance account={account} isOpen={isOpen} onTopUp={onTopUp} />
      <StoriesRow folds />
      <IconButton
        label={t("profile.details")}
        aria-expanded={isOpen}
        className={styles.fold}
        icon={<ChevronDown aria-hidden size={18} />}
        onClick={() => setOpen(!isOpen)}
      />
    </Card>
  );
}

/** The link to the stories grants no right (spec O §2). */
function Identity({ account }: { account: Account }) {
  const t = useAppText();
  const language = useLanguage();
  return (
    <>
      <AvatarPicker account={account} />
      <h1 className={styles.welcome}>
        <span className={styles.greeting}>{t("profile.welcome")} </span>
        <Exact>{account.name}</Exact>
      </h1>
      <p className={styles.facts}>
        <span>
          {t("profile.id")} <Exact className={styles.id}>{account.id}</Exact>
        </span>
        <ActivationBadge active={account.active} />
        {criticalStoryUsers.includes(account.id) && (
          <Link href={paths.storiesAdmin(language)} className={styles.link}>
            {t("profile.stories")}
          </Link>
        )}
      </p>
      <Token token={account.token} />
    </>
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
      <code dir="ltr" translate="no" className={styles.secret}>
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

function IdentitySkeleton() {
  return (
    <>
      <Skeleton width="2.25rem" height="2.25rem" round />
      <div className={styles.welcome}>
        <Skeleton width="9rem" height="1.25rem" />
      </div>
      <div className={styles.facts}>
        <Skeleton width="8rem" height="1rem" />
      </div>
    </>
  );
}
