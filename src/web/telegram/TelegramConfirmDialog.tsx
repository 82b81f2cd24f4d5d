import { Send } from "lucide-react";
import { useEffect } from "react";
import { useAccount } from "../dashboard/account.ts";
import { useAppText } from "../language.tsx";
import { refusalText } from "../refusalText.ts";
import { refusedBy } from "../serverState.tsx";
import { Button, LinkButton } from "../ui/button/Button.tsx";
import { CopyButton } from "../ui/button/CopyButton.tsx";
import { Dialog } from "../ui/dialog/Dialog.tsx";
import { Notice } from "../ui/feedback/Notice.tsx";
import { QrCode } from "../ui/display/QrCode.tsx";
import { Skeleton } from "../ui/feedback/Skeleton.tsx";
import { toast } from "../ui/feedback/toast.ts";
import styles from "./TelegramConfirmDialog.module.css";
import { usePolledAccount, useBotLink } from "./useBotLink.ts";

/** Links to the bot that confirms the account (spec B §2 "confirm-via-bot"). Draws the QR code here: the link stays private. */
export function TelegramConfirmDialog({ onClose }: { onClose: () => void }) {
  const t = useAppText();
  const isConfirmed = useAccount().data?.telegramConfirmed === true;
  usePolledAccount();
  useEffect(() => {
    if (!isConfirmed) return;
    toast("good", t("telegram.done"));
    onClose();
  }, [isConfirmed, onClose, t]);
  return (
    <Dialog title={t("telegram.title")} onClose={onClose}>
      <div className={styles.body}>
        <p className={styles.lead}>{t("telegram.lead")}</p>
        <BotLink />
      </div>
    </Dialog>
  );
}

function BotLink() {
  const t = useAppText();
  const { data, error, isFetching, refetch } = useBotLink();
  const refused = refusedBy(error);
  if (refused && !data) {
    return (
      <Notice tone="bad">
        <p>{refusalText(t, refused)}</p>
        <Button tone="secondary" size="small" busy={isFetching} onClick={() => void refetch()}>
          {t("telegram.again")}
        </Button>
      </Notice>
    );
  }
  if (!data) return <LoadingSkeleton />;
  return (
    <>
      <div className={styles.scan}>
        <QrCode text={data.link} label={t("telegram.qr")} />
        <p className={styles.note}>{t("telegram.scan")}</p>
      </div>
      <LinkButton outside wide size="large" href={data.link} icon={<Send aria-hidden size={17} />}>
        {t("telegram.open")}
      </LinkButton>
      <div className={styles.direct}>
        <p className={styles.label}>{t("telegram.link")}</p>
        <div className={styles.line}>
          <a dir="ltr" className={styles.link} href={data.link} target="_blank" rel="noopener noreferrer">
            {data.link}
          </a>
          <CopyButton words text={data.link} label={t("telegram.copy")} milliseconds={2000} />
        </div>
        <p className={styles.note}>{t("telegram.once")}</p>
      </div>
    </>
  );
}

function LoadingSkeleton() {
  const t = useAppText();
  return (
    <div role="status" aria-label={t("telegram.loading")} className={styles.body}>
      <div className={styles.scan}>
        <Skeleton width="160px" height="160px" />
        <Skeleton width="12rem" height="1.25rem" />
      </div>
      <Skeleton height="3rem" />
      <Skeleton height="4.5rem" />
    </div>
  );
}
