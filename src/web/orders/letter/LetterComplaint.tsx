import { useQueryClient } from "@tanstack/react-query";
import { MailWarning } from "lucide-react";
import { useState } from "react";
import type { Endpoints } from "../../../contract/api.ts";
import type { Reply } from "../../../contract/endpoint.ts";
import { api, type Refused } from "../../api.ts";
import { useAppText } from "../../language.tsx";
import { refusalText } from "../../refusalText.ts";
import { Button } from "../../ui/button/Button.tsx";
import { Notice } from "../../ui/feedback/Notice.tsx";
import styles from "./LetterComplaint.module.css";
import { useBusy } from "../../useBusy.ts";

type Complaint = NonNullable<Reply<Endpoints["getMessage"]>["not_from_site"]>;

interface LetterComplaintProps {
  id: string;
  site: string;
  complaint: Complaint;
}

const complaintTexts = {
  refunded: { tone: "good", text: "complaint.refunded" },
  review: { tone: "info", text: "complaint.review" },
  rejected: { tone: "bad", text: "complaint.rejected" },
} as const;

export function LetterComplaint({ id, site, complaint }: LetterComplaintProps) {
  const t = useAppText();
  const client = useQueryClient();
  const [isAsked, setAsked] = useState(false);
  const [isBusy, whileBusy] = useBusy();
  const [refused, setRefused] = useState<Refused<string>>();
  if (complaint !== "possible") {
    const { tone, text } = complaintTexts[complaint];
    return <Notice tone={tone}>{t(text)}</Notice>;
  }
  const say = async () => {
    const answer = await api.notFromSite({ id });
    setRefused(answer.ok ? undefined : answer);
    await client.invalidateQueries();
  };
  if (!isAsked) {
    return (
      <Button
        tone="ghost"
        size="small"
        className={styles.start}
        icon={<MailWarning aria-hidden size={16} />}
        onClick={() => setAsked(true)}
      >
        {t("complaint.start", { site })}
      </Button>
    );
  }
  return (
    <div className={styles.ask}>
      <p>{t("complaint.says", { site })}</p>
      <div className={styles.choice}>
        <Button autoFocus size="small" busy={isBusy} onClick={() => void whileBusy(say)}>
          {t("complaint.do")}
        </Button>
        <Button tone="ghost" size="small" onClick={() => setAsked(false)}>
          {t("complaint.not")}
        </Button>
      </div>
      {refused && <Notice tone="bad">{refusalText(t, refused)}</Notice>}
    </div>
  );
}
