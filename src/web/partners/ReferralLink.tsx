import { Link2, Pencil, Plus } from "lucide-react";
import { type FormEvent, useEffect, useState } from "react";
import { referralWordPattern } from "../../contract/fields.ts";
import { api } from "../api.ts";
import { type Account, useAccount } from "../dashboard/account.ts";
import { useAppText } from "../language.tsx";
import { refusalText } from "../refusalText.ts";
import { stored } from "../stored.ts";
import { Button } from "../ui/button/Button.tsx";
import { Card } from "../ui/layout/Card.tsx";
import { CopyButton } from "../ui/button/CopyButton.tsx";
import { TextField, verbatim } from "../ui/form/Input.tsx";
import { Notice } from "../ui/feedback/Notice.tsx";
import styles from "./Partner.module.css";

const copiedMilliseconds = 1600;
const closeMilliseconds = 1200;

/** The partner's link and its word (spec O §2, §4). */
export function ReferralLink({ account }: { account: Account }) {
  const t = useAppText();
  const [isEditing, setEditing] = useState(false);
  const { link, word, count } = account.referrals;
  return (
    <Card className={styles.tool} aria-labelledby="referral-title">
      <h2 id="referral-title" className={styles.heading}>
        <Link2 aria-hidden size={18} />
        {t("partner.link.title")}
      </h2>
      <p className={styles.text}>{t("partner.link.text")}</p>
      {link === null ? (
        !isEditing && <p className={styles.none}>{t("partner.link.none")}</p>
      ) : (
        <div className={styles.copied}>
          <code dir="ltr" className={styles.code}>
            {link}
          </code>
          <CopyButton text={link} label={t("partner.link.copy")} milliseconds={copiedMilliseconds} />
        </div>
      )}
      {count > 0 && <p className={styles.text}>{t("partner.registered", { count })}</p>}
      {isEditing ? (
        <WordForm word={word ?? ""} onClose={() => setEditing(false)} />
      ) : (
        <Button
          tone="secondary"
          className={styles.start}
          icon={link === null ? <Plus aria-hidden size={17} /> : <Pencil aria-hidden size={16} />}
          onClick={() => setEditing(true)}
        >
          {t(link === null ? "partner.link.create" : "partner.link.edit")}
        </Button>
      )}
    </Card>
  );
}

function WordForm({ word, onClose }: { word: string; onClose: () => void }) {
  const t = useAppText();
  const account = useAccount();
  const [typed, setTyped] = useState(word);
  const [state, setState] = useState<"idle" | "saving" | "saved">("idle");
  const [refused, setRefused] = useState<string>();
  const isRight = referralWordPattern.test(typed);
  useEffect(() => {
    if (state !== "saved") return undefined;
    const timer = setTimeout(onClose, closeMilliseconds);
    return () => clearTimeout(timer);
  }, [state, onClose]);
  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (!isRight || state !== "idle") return;
    // Another tab has signed out.
    if (stored.authToken.shared() === "") return setRefused(t("partner.word.noToken"));
    setState("saving");
    setRefused(undefined);
    const answer = await api.addReferralWord({ word: typed });
    if (!answer.ok) {
      setState("idle");
      setRefused(refusalText(t, answer));
      return;
    }
    await account.refetch();
    setState("saved");
  };
  return (
    <form className={styles.form} onSubmit={(event) => void save(event)}>
      <TextField
        label={t("partner.word")}
        hint={t("partner.word.hint")}
        error={refused ?? (typed !== "" && !isRight ? t("partner.word.invalid") : undefined)}
        value={typed}
        {...verbatim}
        code
        autoFocus
        onChange={(event) => {
          setTyped(event.target.value.trim());
          setRefused(undefined);
        }}
      />
      <div className={styles.actions}>
        <Button type="submit" busy={state === "saving"} disabled={!isRight || state === "saved"}>
          {t("partner.word.save")}
        </Button>
        <Button tone="ghost" onClick={onClose}>
          {t("ui.cancel")}
        </Button>
      </div>
      {state === "saved" && <Notice tone="good">{t("partner.word.saved")}</Notice>}
    </form>
  );
}
